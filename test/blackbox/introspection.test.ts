import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGuarded, type Guarded } from '../support/guarded.ts'
import {
  startIntrospectionServer,
  type IntrospectionServer,
} from '../support/introspection-server.ts'

let issuer: IntrospectionServer
let app: Guarded
beforeAll(async () => {
  issuer = await startIntrospectionServer()
  app = await startGuarded({ introspection: issuer.url })
}, 90_000)
afterAll(async () => {
  await app.stop()
  issuer.stop()
})

const know = (token: string, changes: object = {}): void => {
  const aud = app.endpoint
  issuer.tokens.set(token, { active: true, sub: 'ada', aud, scope: 'a', ...changes })
}
const countAsked = (token: string): number =>
  issuer.asked.filter((one) => one.token === token).length

it('accepts an active token, and asks the authorization server once', async () => {
  know('good')
  const ada = app.bearer('good')
  expect((await ada.ask('tools/list')).status).toBe(200)
  expect((await ada.ask('tools/list')).status).toBe(200)
  expect(countAsked('good')).toBe(1)
  const who = issuer.asked.map(({ authorization }) => atob(authorization.replace('Basic ', '')))
  expect(who).toEqual([expect.stringMatching(/^guarded:./)])
})

it('refuses unknown tokens and tokens for another server', async () => {
  know('elsewhere', { aud: 'https://elsewhere.example/mcp' })
  for (const token of ['unknown', 'elsewhere']) {
    // oxlint-disable-next-line no-await-in-loop
    const { status, challenge } = await app.bearer(token).ask('tools/list')
    expect(status).toBe(401)
    expect(challenge).toContain('error="invalid_token"')
  }
})

it('during an outage serves callers in memory and answers others with 503', async () => {
  know('before')
  know('during')
  expect((await app.bearer('before').ask('tools/list')).status).toBe(200)
  issuer.isDown = true
  expect((await app.bearer('before').ask('tools/list')).status).toBe(200)
  const { status, body } = await app.bearer('during').ask('tools/list')
  issuer.isDown = false
  expect(status).toBe(503)
  expect(body.error.message).not.toContain('introspect')
  expect((await app.bearer('during').ask('tools/list')).status).toBe(200)
})
