import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readModules } from '../../support/doc-modules.ts'
import { quiet } from '../../support/wrangler-dev.ts'
import { createTemporaryProject, toolSource } from './temporary-project.ts'

/* docs/production.md: its configuration and its Worker, as wrangler would upload them. */

const root = join(import.meta.dirname, '../../..')

test.each([
  ['the top level', '', 'https://auth.example.com'],
  ['the environment staging', 'staging', 'https://auth-staging.example.com'],
])('%s can be deployed', async (_, environment, issuer) => {
  const text = await readFile(join(root, 'docs/production.md'), 'utf8')
  const modules = readModules({ path: 'docs/production.md', text })
  const sections = [...text.matchAll(/^```toml\n(.*?)^```$/gms)].map(([, section = '']) => section)
  const helve = `'"${process.execPath}" "${join(root, 'src/cli/helve.ts')}" build'`
  const project = await createTemporaryProject({
    ...Object.fromEntries(modules.map(({ file, text }) => [file, text])),
    'wrangler.toml': sections.join('\n').replace('"npx helve build"', helve),
    'tools/hello.ts': toolSource(),
  })
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run'],
    {
      cwd: project.root,
      env: { ...process.env, ...quiet, CLOUDFLARE_ENV: environment },
    },
  )
  expect(stdout).toContain('1 tool in .helve/registry.ts')
  expect(stdout).toContain(issuer)
  expect(stdout).toContain('env.REQUESTS')
})
