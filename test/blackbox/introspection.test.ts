import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startGuarded, type Guarded } from '../support/guarded.ts'
import {
  startIntrospectionServer,
  type IntrospectionServer,
} from '../support/introspection-server.ts'
import { toModernRequest } from '../support/modern-request.ts'

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

it('asks once about a token of parallel requests, although the first client leaves', async () => {
  know('parallel')
  issuer.delayMs = 500
  const first = new AbortController()
  const headers = { ...app.bearer('parallel').headers }
  const left = fetch(toModernRequest(app.endpoint, 'tools/list', {}, { headers }), {
    signal: first.signal,
  })
  left.catch(() => {})
  await vi.waitUntil(() => countAsked('parallel') === 1)
  const others = Array.from({ length: 20 }, () => app.bearer('parallel').ask('tools/list'))
  first.abort()
  const began = Date.now()
  const statuses = (await Promise.all(others)).map(({ status }) => status)
  issuer.delayMs = 0
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(countAsked('parallel')).toBe(1)
  expect(Date.now() - began).toBeLessThan(4_000)
})

it('asks about a refused token once, and about thirty of an address', async () => {
  // the earlier tests had tokens refused too, and all of them come from one address
  const repeated = app.bearer('made-up')
  expect((await repeated.ask('tools/list')).status).toBe(401)
  expect((await repeated.ask('tools/list')).status).toBe(401)
  expect(countAsked('made-up')).toBe(1)
  know('before-flood')
  expect((await app.bearer('before-flood').ask('tools/list')).status).toBe(200)

  const flood = Array.from({ length: 100 }, (_, index) => `flood-${index}`)
  const replies = await Promise.all(flood.map((token) => app.bearer(token).ask('tools/list')))
  const asked = issuer.asked.filter(({ token }) => token.startsWith('flood-')).length
  expect(asked).toBeGreaterThan(20)
  expect(asked).toBeLessThan(30)
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(asked)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(100 - asked)
  // a caller in memory needs no question
  expect((await app.bearer('before-flood').ask('tools/list')).status).toBe(200)
})
