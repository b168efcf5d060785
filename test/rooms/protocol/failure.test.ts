import { expect, test } from 'vitest'
import { type Failure, toRpcError } from '../../../src/protocol/failure.ts'

// basic/index, "Error Responses": `data` is what a program needs of an error

const supported = ['2026-07-28']
const challenge = 'Bearer'
const why = 'It is wrong.'

test.each<[Failure, unknown]>([
  [{ kind: 'unknown-method', method: 'initialize' }, { supported }],
  [{ kind: 'malformed-params', why }, { supported }],
  [
    { kind: 'unsupported-version', requested: 'v9', supported },
    { supported, requested: 'v9' },
  ],
  [
    { kind: 'missing-capability', missing: { sampling: { tools: {} } } },
    { requiredCapabilities: { sampling: { tools: {} } } },
  ],
  [{ kind: 'invalid-params', why }, undefined],
  [{ kind: 'invalid-params', why, data: { uri: 'a://b' } }, { uri: 'a://b' }],
  [{ kind: 'invalid-params', why, advice: 'Stop.' }, { advice: 'Stop.' }],
  [
    { kind: 'invalid-params', why, advice: 'Stop.', data: { a: 1 } },
    { a: 1, advice: 'Stop.' },
  ],
  [{ kind: 'internal', errorId: 'e1' }, { errorId: 'e1' }],
  [
    { kind: 'authentication-unavailable', errorId: 'e1' },
    { errorId: 'e1', retryAfter: 5 },
  ],
  [{ kind: 'rate-limited', retryAfter: 7, headers: {} }, { retryAfter: 7 }],
  [{ kind: 'insufficient-scope', needed: ['a', 'b'], challenge }, { requiredScopes: ['a', 'b'] }],
  [{ kind: 'document-failed', cause: { kind: 'internal', errorId: 'e1' } }, { errorId: 'e1' }],
  [{ kind: 'body-too-large', limit: 9 }, { maxBytes: 9 }],
  [
    { kind: 'unsupported-media-type', contentType: 'text/plain' },
    { accepted: ['application/json'] },
  ],
  [
    { kind: 'not-acceptable', accept: 'text/html' },
    { accepted: ['application/json', 'text/event-stream'] },
  ],
  [
    { kind: 'method-not-allowed', method: 'GET', allow: 'POST, OPTIONS' },
    { allowed: ['POST', 'OPTIONS'] },
  ],
  [{ kind: 'not-found', path: '/x', endpoint: '/mcp' }, { endpoint: '/mcp' }],
  [{ kind: 'foreign-origin', origin: 'https://a.example' }, undefined],
  [{ kind: 'header-mismatch', why }, undefined],
])('the data of %j', (failure, data) => {
  expect(toRpcError(failure).data).toEqual(data)
})

test('advice follows its reason in the message', () => {
  expect(toRpcError({ kind: 'invalid-params', why, advice: 'Stop.' }).message).toBe(
    'It is wrong. Stop.',
  )
})

test('missing capabilities are named as clients declare them', () => {
  const missing = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }
  expect(toRpcError({ kind: 'missing-capability', missing }).message).toContain(
    'not declared: elicitation.form, elicitation.url, sampling.tools, roots.',
  )
})
