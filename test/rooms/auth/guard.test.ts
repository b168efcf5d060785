import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AuthResult, Authenticator } from '../../../src/define/authenticator.ts'
import { custom } from '../../../src/auth/custom.ts'
import { toFirstScopes } from '../../../src/auth/request/challenge.ts'
import { Guard, type GuardOptions } from '../../../src/auth/request/guard.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import type { Caller } from '../../../src/protocol/caller.ts'
import { type RpcError, toRpcError } from '../../../src/protocol/failure.ts'
import { definePrompt, defineResource, defineTool } from 'helve'
import { toRegistry } from '../../spec/registry.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const url = 'https://shop.example/mcp'
const metadataUrl = 'https://shop.example/.well-known/oauth-protected-resource/mcp'
const ada: Caller = { subject: 'ada', scopes: ['shop:read'], claims: {} }

function decide(authenticated: AuthResult): Authenticator {
  return {
    allowsAnonymous: false,
    authorizationServers: () => ['https://auth.example'],
    authenticate: async () => authenticated,
  }
}

function fail(error: Error): Authenticator {
  return { ...decide({ kind: 'anonymous' }), authenticate: () => Promise.reject(error) }
}

const log = new WorkerLog(createSanitizer([]))

function guard(auth: Authenticator, options: Partial<GuardOptions> = {}): Guard {
  const scopes = ['shop:read', 'offline_access']
  return new Guard({ auth, endpoint: '/mcp', scopes, name: 'Shop', ...options })
}

/** What the wire says of a request, or who it is from. */
async function admit(auth: Authenticator, headers = {}): Promise<RpcError | Caller | null> {
  const request = new Request(url, { method: 'POST', headers })
  const admission = await guard(auth).admit(request, env, createExecutionContext(), log)
  return admission.kind === 'admitted' ? admission.caller : toRpcError(admission.failure)
}

const pointer = `scope="shop:read", resource_metadata="${metadataUrl}"`

test('lets a caller in', async () => {
  expect(await admit(decide({ kind: 'caller', caller: ada }))).toEqual(ada)
})

test('without credentials it is 401, with where to get them and what to ask for', async () => {
  expect(await admit(decide({ kind: 'anonymous' }))).toEqual({
    status: 401,
    code: -32600,
    message:
      `The request has no credentials. Get a token as described at ${metadataUrl}, ` +
      'and send it as `Authorization: Bearer <token>`.',
    headers: { 'WWW-Authenticate': `Bearer ${pointer}` },
  })
})

test('with credentials that are not good it is 401, and says why', async () => {
  const refused = await admit(decide({ kind: 'refused', why: 'The token has expired.' }))
  expect(refused).toMatchObject({
    status: 401,
    headers: {
      'WWW-Authenticate':
        'Bearer error="invalid_token", error_description="The token has expired.", ' + pointer,
    },
  })
})

test('with a malformed header it is 400', async () => {
  expect(await admit(decide({ kind: 'malformed' }))).toMatchObject({
    status: 400,
    headers: { 'WWW-Authenticate': expect.stringContaining('error="invalid_request"') },
  })
})

test('credentials that cannot be checked are 503, without a challenge, and the reason is in the log', async () => {
  const write = vi.spyOn(console, 'error').mockReturnValue()
  const error = await admit(fail(new Error('10.0.0.7 is down')))
  expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  expect(JSON.stringify(error)).not.toContain('10.0.0.7')
  const [line = '', thrown] = write.mock.lastCall ?? []
  const { errorId } = JSON.parse(String(line))
  expect(thrown).toMatchObject({ message: '10.0.0.7 is down' })
  expect(JSON.stringify(error)).toContain(errorId)
})

test('anonymous callers are let in with optional authentication', async () => {
  expect(await admit(optionalAuth(decide({ kind: 'anonymous' })))).toBeNull()
  expect(await admit(optionalAuth(decide({ kind: 'caller', caller: ada })))).toEqual(ada)
})

test.each<[AuthResult, number]>([
  [{ kind: 'refused', why: 'The token has expired.' }, 401],
  [{ kind: 'malformed' }, 400],
])(
  'a server that welcomes anonymous callers refuses bad credentials: %j',
  async (authenticated, status) => {
    vi.spyOn(console, 'error').mockReturnValue()
    expect(await admit(optionalAuth(decide(authenticated)))).toMatchObject({ status })
  },
)

test('a server with optional authentication refuses credentials that cannot be checked', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  expect(await admit(optionalAuth(fail(new Error('down'))))).toMatchObject({ status: 503 })
})

const malformed: readonly (readonly [string, unknown, string])[] = [
  ['nothing', undefined, 'undefined is not a caller.'],
  ['false', false, 'false is not a caller.'],
  ['true', true, 'true is not a caller.'],
  ['zero', 0, 'the number 0 is not a caller.'],
  ['an empty text', '', 'an empty text is not a caller.'],
  ['a name alone', 'ada', 'a text is not a caller.'],
  ['a list', [ada], 'a list is not a caller.'],
  ['an error', { error: 'invalid' }, '`subject` of the caller is undefined.'],
  ['an object without a subject', {}, '`subject` of the caller is undefined.'],
  ['an empty subject', { subject: '' }, '`subject` of the caller is an empty text.'],
  ['a blank subject', { subject: ' ' }, '`subject` of the caller is a text.'],
  ['a number as the subject', { subject: 7 }, '`subject` of the caller is the number 7.'],
  [
    'a promise of the subject',
    { subject: Promise.resolve('ada') },
    '`subject` of the caller is a Promise.',
  ],
  [
    'scopes that are a number',
    { subject: 'ada', scopes: 1 },
    '`scopes` of the caller is the number 1.',
  ],
  ['scopes that are null', { subject: 'ada', scopes: null }, '`scopes` of the caller is null.'],
  [
    'a set of scopes',
    { subject: 'ada', scopes: new Set(['a']) },
    '`scopes` of the caller is an object.',
  ],
  [
    'a scope that is not a text',
    { subject: 'ada', scopes: ['a', null] },
    '`scopes` of the caller is a list.',
  ],
  [
    'a list of scopes with a hole',
    { subject: 'ada', scopes: Array(2) },
    '`scopes` of the caller is a list.',
  ],
  [
    'an issuer that is not a text',
    { subject: 'ada', issuer: 1 },
    '`issuer` of the caller is the number 1.',
  ],
  [
    'a client that is not a text',
    { subject: 'ada', client: {} },
    '`client` of the caller is an object.',
  ],
  ['claims that are a list', { subject: 'ada', claims: [] }, '`claims` of the caller is a list.'],
  [
    'claims with a promise',
    { subject: 'ada', claims: { org: Promise.resolve(1) } },
    '`claims.org` of the caller is a Promise. Await it.',
  ],
  [
    'claims that become a text',
    { subject: 'ada', claims: { toJSON: () => 'x' } },
    '`claims` of the caller is a text.',
  ],
  [
    'an expiry that is not a number',
    { subject: 'ada', expires: 'never' },
    '`expires` of the caller is a text.',
  ],
  [
    'an expiry that is a date',
    { subject: 'ada', expires: new Date() },
    '`expires` of the caller is an object.',
  ],
  [
    'an expiry of NaN',
    { subject: 'ada', expires: NaN },
    '`expires` of the caller is the number NaN.',
  ],
  [
    'an endless expiry',
    { subject: 'ada', expires: Infinity },
    '`expires` of the caller is the number Infinity.',
  ],
  [
    'a getter that throws',
    Object.defineProperty({}, 'subject', {
      get: () => {
        throw new Error('no session')
      },
    }),
    'no session',
  ],
]

/** An authenticator written without types. */
function returnAnything(result: unknown): Authenticator {
  const authenticator = { ...decide({ kind: 'anonymous' }) }
  Reflect.set(authenticator, 'authenticate', async () => result)
  return authenticator
}

function identifyAs(value: unknown): Authenticator {
  const identify = () => null
  return custom(new Proxy(identify, { apply: () => value }))
}

describe.each(malformed)('a result that is %s', (_, value, reason) => {
  test.each([
    ['an authenticator', returnAnything({ kind: 'caller', caller: value })],
    ['custom', identifyAs(value)],
    ['custom that returns a promise', identifyAs(Promise.resolve(value))],
  ])('of %s is 503, with or without optional authentication', async (_, auth) => {
    const write = vi.spyOn(console, 'error').mockReturnValue()
    for (const authenticator of [auth, optionalAuth(auth)]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await admit(authenticator)).toMatchObject({ status: 503 })
      const [, thrown] = write.mock.lastCall ?? []
      expect(String(thrown)).toContain(reason)
    }
  })
})

test.each([undefined, null, true, 'caller', {}, { kind: 'admitted' }, { kind: 'refused', why: 1 }])(
  'a result of an authenticator that is not an AuthResult is 503: %j',
  async (result) => {
    const write = vi.spyOn(console, 'error').mockReturnValue()
    expect(await admit(optionalAuth(returnAnything(result)))).toMatchObject({ status: 503 })
    expect(String(write.mock.lastCall?.[1])).toContain('which is not an AuthResult.')
  },
)

test('a caller whose credentials have expired is 401', async () => {
  for (const expires of [0, -1, Date.now() - 1, Date.now()]) {
    const caller = { ...ada, expires }
    for (const auth of [decide({ kind: 'caller', caller }), identifyAs(caller)]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await admit(optionalAuth(auth))).toMatchObject({
        status: 401,
        headers: { 'WWW-Authenticate': expect.stringContaining('The credentials have expired.') },
      })
    }
  }
})

test.each([
  [29_000, { subject: 'ada' }],
  [30_000, { status: 401 }],
])('code that remembers a caller may return it %d ms after its expiry', async (ms, expected) => {
  const expires = Date.now() + 1_000
  const caller = await admit(identifyAs({ ...ada, expires }))
  expect(caller).toMatchObject({ subject: 'ada' })
  vi.spyOn(Date, 'now').mockReturnValue(expires + ms)
  for (const auth of [returnAnything({ kind: 'caller', caller }), identifyAs(caller)]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await admit(auth)).toMatchObject(expected)
  }
})

test('a caller has the scopes of a text, split at its spaces', async () => {
  const admitted = await admit(identifyAs({ subject: 'ada', scopes: ' write  read write' }))
  expect(admitted).toEqual({ subject: 'ada', scopes: ['read', 'write'], claims: {} })
  expect(await admit(identifyAs({ subject: 'ada', scopes: 'abc' }))).toMatchObject({
    scopes: ['abc'],
  })
})

test('a caller has no members that the code did not mean to pass on', async () => {
  const row = { ...ada, password: 'hunter2', claims: { since: new Date(0) } }
  expect(await admit(identifyAs(row))).toEqual({
    ...ada,
    claims: { since: '1970-01-01T00:00:00.000Z' },
  })
})

test('an object that changes after it was read changes nothing', async () => {
  const scopes = ['read']
  const caller = await admit(identifyAs({ subject: 'ada', scopes }))
  scopes.push('admin')
  expect(caller).toMatchObject({ scopes: ['read'] })
  // the next request reads the object again
  expect(await admit(identifyAs({ subject: 'ada', scopes }))).toMatchObject({
    scopes: ['admin', 'read'],
  })
})

test('authentication by an instance of a class can be optional', async () => {
  class Always implements Authenticator {
    readonly allowsAnonymous = false
    async authenticate(): Promise<AuthResult> {
      return { kind: 'caller', caller: ada }
    }
    authorizationServers(): readonly string[] {
      return []
    }
  }
  expect(await admit(optionalAuth(new Always()))).toEqual(ada)
})

test('a caller who lacks scopes gets 403 with all that the operation needs', () => {
  const door = guard(decide({ kind: 'anonymous' }))
  const failure = door.stepUp(url, ada, ['shop:read', 'shop:write', 'offline_access'])
  expect(toRpcError(failure)).toMatchObject({
    status: 403,
    headers: {
      'WWW-Authenticate':
        'Bearer error="insufficient_scope", error_description="The token does not allow this.", ' +
        `scope="shop:read shop:write", resource_metadata="${metadataUrl}"`,
    },
  })
})

test('an anonymous caller who lacks scopes gets 401 with what the operation needs', () => {
  const door = guard(optionalAuth(decide({ kind: 'anonymous' })))
  expect(toRpcError(door.stepUp(url, null, ['shop:write']))).toMatchObject({
    status: 401,
    headers: {
      'WWW-Authenticate': `Bearer scope="shop:write", resource_metadata="${metadataUrl}"`,
    },
  })
})

test.each([
  ['https://shop.example/.well-known/oauth-protected-resource/mcp', url],
  ['https://shop.example/.well-known/oauth-protected-resource', url],
  ['https://shop.example/.well-known/oauth-protected-resource?x=1', url],
  ['http://127.0.0.1:8787/.well-known/oauth-protected-resource/mcp', 'http://127.0.0.1:8787/mcp'],
  ['https://shop.example/.well-known/oauth-protected-resource/other', undefined],
  ['https://shop.example/mcp', undefined],
])('the metadata at %s is of %s', (at, resource) => {
  const described = guard(decide({ kind: 'anonymous' })).describe(at)
  expect(described === null ? undefined : Reflect.get(described, 'resource')).toBe(resource)
})

test('a configured resource is the same on whatever host is asked', async () => {
  const auth = decide({ kind: 'anonymous' })
  const authenticate = vi.spyOn(auth, 'authenticate')
  const door = guard(auth, { resource: url })
  const elsewhere = new Request('https://shop.workers.dev/mcp', {
    headers: { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' },
  })
  await door.admit(elsewhere, env, createExecutionContext(), log)
  expect(authenticate.mock.lastCall?.[0].resource).toBe(url)
})

test.each<[string, string, object, Partial<GuardOptions>, number]>([
  ['warns once off Cloudflare', url, {}, {}, 1],
  ['does not warn on Cloudflare', url, { cf: { colo: 'AMS' } }, {}, 0],
  ['does not warn on this machine', 'http://127.0.0.1:8787/mcp', {}, {}, 0],
  ['does not warn with `resource`', url, {}, { resource: url }, 0],
])('%s', async (_, at, init, options, count) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const door = guard(decide({ kind: 'anonymous' }), options)
  for (let sent = 0; sent < 2; sent += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await door.admit(new Request(at, init), env, createExecutionContext(), log)
  }
  const lines = warn.mock.calls.map(([line]) => line)
  const advice = expect.stringContaining('Set `resource` to the public URL')
  expect(lines).toEqual(Array.from({ length: count }, () => advice))
})

test('a request of this machine does not hide the warning for the next', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const door = guard(decide({ kind: 'anonymous' }))
  for (const at of ['http://localhost:8787/mcp', url]) {
    // oxlint-disable-next-line no-await-in-loop
    await door.admit(new Request(at), env, createExecutionContext(), log)
  }
  expect(warn).toHaveBeenCalledTimes(1)
})

test('a forwarded host is ignored', async () => {
  const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' }
  expect(JSON.stringify(await admit(decide({ kind: 'anonymous' }), headers))).not.toContain('evil')
})

test('without an authorization server there is no metadata', async () => {
  const auth = { ...decide({ kind: 'anonymous' }), authorizationServers: () => [] }
  expect(guard(auth).describe(metadataUrl)).toBeNull()
  expect(await admit(auth)).toMatchObject({
    message:
      'The request has no credentials. ' +
      'Send the credentials that the owner of this server gave you.',
    headers: { 'WWW-Authenticate': 'Bearer scope="shop:read"' },
  })
})

test.each([
  'shop.example/mcp',
  'https://shop.example',
  'https://shop.example/mcp/',
  'https://shop.example/mcp?x',
  'https://shop.example/mcp#x',
])('says at start that the resource %j is not the endpoint', (resource) => {
  expect(() => guard(decide({ kind: 'anonymous' }), { resource })).toThrow(
    `\`resource\` is "${resource}".`,
  )
})

test('a server at the root is written with a slash or without', () => {
  const root = { endpoint: '/', resource: 'https://shop.example' }
  expect(guard(decide({ kind: 'anonymous' }), root).describe(`${root.resource}/x`)).toBeNull()
})

const write = defineTool({ description: 'Writes.', scopes: ['write'], run: () => 'done' })
const find = defineTool({
  description: 'Finds.',
  scopes: ['read', 'find'],
  hints: { readOnly: true },
  run: () => 'found',
})
const secret = defineTool({
  description: 'Is not for everybody.',
  scopes: ['secret'],
  conceal: true,
  hints: { readOnly: true },
  run: () => 'found',
})
const open = defineTool({ description: 'Is open.', hints: { readOnly: true }, run: () => 'hello' })
const page = defineResource({
  uri: 'test://page',
  mime: 'text/plain',
  scopes: ['pages'],
  read: () => 'page',
})
const words = definePrompt({ description: 'Words.', scopes: ['words'], messages: () => 'words' })

test.each([
  [
    'what resources, prompts and reading tools need',
    { write, find, page, words, open },
    ['find', 'pages', 'read', 'words'],
  ],
  ['each scope once', { find, again: find, write }, ['find', 'read']],
  ['all, where nothing that reads needs any', { write, open }, ['write']],
  ['nothing that is concealed', { secret, write }, ['write']],
  ['none, where nothing needs any', { open }, []],
])('a first sign-in asks for %s', (_, made, scopes) => {
  expect(toFirstScopes(toRegistry(made))).toEqual(scopes)
})
