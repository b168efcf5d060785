import { decodeJwt, decodeProtectedHeader } from 'jose'
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { localIssuerName } from '../../../src/auth/local-issuer.ts'
import { quiet } from '../../support/wrangler-dev.ts'
import { createTemporaryProject, toolSource, wranglerToml } from '../build/temporary-project.ts'
import { runHelve } from '../../support/run-helve.ts'

const wrangler = join(import.meta.dirname, '../../../node_modules/wrangler/bin/wrangler.js')

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

test('prints a token and nothing else', async () => {
  const { root, out } = await createTemporaryProject({})
  const args = ['token', 'ada', '--scopes', 'shop:read,shop:write', '--claim', 'level=3']
  const { code, stdout, stderr } = await runHelve(root, [...args, '--claim', 'team=a b'])
  expect([code, stderr]).toEqual([0, ''])
  const claims = decodeJwt(stdout.trim())
  expect(claims).toMatchObject({
    sub: 'ada',
    iss: localIssuerName,
    aud: localIssuerName,
    scope: 'shop:read shop:write',
    level: 3,
    team: 'a b',
  })
  expect(Math.abs(Number(claims.exp) - nowSeconds() - 12 * 3600)).toBeLessThan(60)
  const key = JSON.parse(await readFile(join(out, 'local-issuer.json'), 'utf8'))
  expect(decodeProtectedHeader(stdout.trim())).toEqual({
    alg: 'ES256',
    typ: 'at+jwt',
    kid: key.kid,
  })
  expect((await stat(join(out, 'local-issuer.json'))).mode & 0o777).toBe(0o600)
})

test('only a build under wrangler dev writes the public key into the registry', async () => {
  const { root, out } = await createTemporaryProject({ 'tools/a.ts': toolSource() })
  await runHelve(root, ['token', 'ada'])
  const { x, d } = JSON.parse(await readFile(join(out, 'local-issuer.json'), 'utf8'))
  const readRegistry = () => readFile(join(out, 'registry.ts'), 'utf8')

  await runHelve(root, ['build'], { env: { WRANGLER_COMMAND: 'dev' } })
  expect(await readRegistry()).toContain(x)
  expect(await readRegistry()).not.toContain(d)

  for (const command of ['deploy', 'versions upload', 'types', '']) {
    // oxlint-disable-next-line no-await-in-loop -- all write the same file
    await runHelve(root, ['build'], { env: { WRANGLER_COMMAND: command } })
    // oxlint-disable-next-line no-await-in-loop
    expect(await readRegistry()).not.toMatch(/local/i)
  }
})

test('a deploy drops the key, even if `wrangler dev` has written the registry meanwhile', async () => {
  const { root, out } = await createTemporaryProject({
    'wrangler.toml': `name = "deployed"\nmain = "worker.ts"\n${wranglerToml}tag = "v1"\n`,
    'worker.ts': `import { createWorker } from 'helve'
import { jwt } from 'helve/auth/jwt'
import { registry } from './.helve/registry.ts'
const auth = jwt({ issuer: 'https://auth.example' })
const worker = createWorker({ name: 'deployed', version: '1.0.0', registry, auth })
export const { Handles, Hub, Bridge, Listings } = worker
export default worker
`,
    'tools/a.ts': toolSource(),
  })
  await runHelve(root, ['build'], { env: { WRANGLER_COMMAND: 'dev' } })
  const { x } = JSON.parse(await readFile(join(out, 'local-issuer.json'), 'utf8'))
  const bundles = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', 'deployed']
    const env = { ...process.env, ...quiet, ...variables }
    await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return readFile(join(root, 'deployed/worker.js'), 'utf8')
  }
  expect(await bundles({ NODE_ENV: 'production' })).not.toMatch(new RegExp(`${x}|local-issuer`))
  // the test would find the key
  expect(await bundles({ NODE_ENV: 'development' })).toContain(x)
})

test.each([
  [[], 'needs more arguments'],
  [['ada', '--expires', 'soon'], '`--expires soon` is not a duration.'],
  [['ada', '--claim', 'level'], '`--claim level` must have the form name=value.'],
])('helve token %j is refused', async (args, sentence) => {
  const { root } = await createTemporaryProject({})
  const { code, stdout, stderr } = await runHelve(root, ['token', ...args])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(sentence)
})

test('a broken key file is named', async () => {
  const { root, out } = await createTemporaryProject({})
  await runHelve(root, ['token', 'ada'])
  await writeFile(join(out, 'local-issuer.json'), '{}')
  const { code, stderr } = await runHelve(root, ['token', 'ada'])
  expect(code).toBe(1)
  expect(stderr).toContain('local-issuer.json is not a key for local tokens. Delete it')
})
