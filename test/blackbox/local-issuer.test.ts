import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHelve } from '../support/run-helve.ts'
import { startGuarded, type Guarded } from '../support/guarded.ts'

/* Tokens of `helve token`, at a Worker that `wrangler dev` serves. */
const folder = join(import.meta.dirname, '../guarded')
let app: Guarded
beforeAll(async () => {
  app = await startGuarded()
}, 90_000)
afterAll(() => app.stop())

it('wrangler dev lets a caller with a token of `helve token` use what its scopes allow', async () => {
  const { stdout } = await runHelve(folder, ['token', 'ada', '--scopes', 'a'])
  const ada = app.bearer(stdout.trim())
  expect((await ada.call('tool_needs_a')).body).toMatchObject({
    result: { resultType: 'complete' },
  })
  expect((await ada.call('tool_needs_a_and_b')).status).toBe(403)
})

it('wrangler dev serves the public key alone', async () => {
  const response = await fetch(`${app.url}/.well-known/helve-local-jwks.json`)
  const { keys } = JSON.parse(await response.text())
  expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256' })])
  expect(keys[0]).not.toHaveProperty('d')
})
