import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineTool } from 'helve'
import type { Call } from '../../../../src/mcp/call.ts'
import { answerPing, initialize, setLogLevel } from '../../../../src/mcp/legacy/initialize.ts'
import type { Session } from '../../../../src/mcp/legacy/session.ts'
import { findMethod } from '../../../../src/mcp/methods.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import { legacyRevisions, newestLegacy } from '../../../../src/protocol/revisions/revisions.ts'
import { createSealer } from '../../../../src/util/seal.ts'
import { type CallChanges, createCall, createSettings, membersOf, toLogText } from '../test-call.ts'

const key = 'k'.repeat(32)
const made = { say: defineTool({ description: 'Says.', run: () => 'x' }) }
const settings = createSettings(made, { instructions: 'Say it.' })
const clientInfo = { name: 'client', version: '1' }
const sound = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function createInitialize(params: JsonObject, changes: CallChanges = {}): Call {
  return createCall(settings, 'initialize', params, { env: { STATE_KEY: key }, ...changes })
}

/** The headers of a result. */
function headersOf(outcome: object): Readonly<Record<string, string>> {
  return 'headers' in outcome ? Object(outcome.headers) : {}
}

/** What a new isolate reads from a session id. */
function open(headers: Readonly<Record<string, string>>, caller = ''): Promise<Session | null> {
  const keys = { hasKey: true, sealer: async () => createSealer([key], 'session') }
  const { sessions } = createSettings()
  return sessions.open(headers['Mcp-Session-Id'] ?? '', caller, Date.now(), keys)
}

describe('initialize', () => {
  test.for(legacyRevisions.map(({ version }) => version))(
    'echoes revision %s',
    async (protocolVersion) => {
      const call = createInitialize({ ...sound, protocolVersion })
      const outcome = await initialize(call)
      expect(membersOf(outcome)).toMatchObject({ protocolVersion })
      expect(call.revision?.version).toBe(protocolVersion)
      expect(await open(headersOf(outcome))).toMatchObject({ version: protocolVersion })
    },
  )

  test.for(['2026-07-28', '2024-10-07', '1.0', '', 'x'.repeat(10_000)])(
    'offers the newest earlier revision to a client that speaks "%.20s"',
    async (protocolVersion) => {
      const outcome = await initialize(createInitialize({ ...sound, protocolVersion }))
      expect(membersOf(outcome)).toMatchObject({ protocolVersion: newestLegacy.version })
    },
  )

  test('describes the server', async () => {
    expect(membersOf(await initialize(createInitialize(sound)))).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'test', version: '1' },
      instructions: 'Say it.',
    })
  })

  test('promises no notifications where the server has no hub', async () => {
    const outcome = await initialize(createInitialize(sound, { exports: {} }))
    expect(membersOf(outcome)).toMatchObject({ capabilities: { tools: {}, logging: {} } })
    expect(membersOf(outcome).capabilities.tools).toEqual({})
  })

  test.for([
    ['protocolVersion', { ...sound, protocolVersion: 20251125 }],
    ['protocolVersion', { capabilities: {}, clientInfo }],
    ['capabilities', { ...sound, capabilities: [] }],
    ['capabilities', { ...sound, capabilities: null }],
    ['clientInfo', { ...sound, clientInfo: 'client' }],
    ['clientInfo', { protocolVersion: '2025-11-25', capabilities: {} }],
  ] as const)('refuses a wrong %s: %j', async ([member, params]) => {
    expect(await initialize(createInitialize(params))).toMatchObject({
      failure: { kind: 'invalid-params', why: expect.stringContaining(`params.${member} must be`) },
    })
  })

  test('binds the session to its caller', async () => {
    const outcome = await initialize(createInitialize(sound, { callerDigest: 'ada' }))
    expect(await open(headersOf(outcome), 'ada')).toMatchObject({ caller: 'ada' })
    expect(await open(headersOf(outcome), 'bob')).toBeNull()
  })

  test('keeps what the server can ask, and nothing else that a client declares', async () => {
    const capabilities = {
      elicitation: { form: { applyDefaults: true }, url: {}, voice: {} },
      sampling: { tools: {}, context: null },
      roots: { listChanged: true },
      experimental: { long: 'x'.repeat(20_000) },
    }
    const outcome = await initialize(createInitialize({ ...sound, capabilities }))
    expect(await open(headersOf(outcome))).toMatchObject({
      capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
    })
    expect(headersOf(outcome)['Mcp-Session-Id']?.length).toBeLessThan(700)
  })

  test.for([{ elicitation: null }, { sampling: true }, { roots: [] }, { elicitation: 'form' }])(
    'keeps nothing of %j',
    async (capabilities) => {
      const outcome = await initialize(createInitialize({ ...sound, capabilities }))
      expect(await open(headersOf(outcome))).toMatchObject({ capabilities: {} })
    },
  )

  test('mints no session where the Worker has no key, and logs why', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const outcome = await initialize(createInitialize(sound, { env: {}, exports: {} }))
    expect(membersOf(outcome)).toMatchObject({ protocolVersion: '2025-11-25' })
    expect(headersOf(outcome)).toEqual({})
    expect(toLogText(warned.mock.calls)).toContain('set the secret STATE_KEY')
  })

  test('mints no session where the secret is too short, and logs why', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const outcome = await initialize(createInitialize(sound, { env: { STATE_KEY: 'short' } }))
    expect(headersOf(outcome)).toEqual({})
    expect(toLogText(warned.mock.calls)).toContain('openssl rand -base64 32')
  })
})

test('ping has an empty result', () => {
  expect(membersOf(answerPing())).toEqual({})
})

describe('logging/setLevel', () => {
  const session: Session = {
    nonce: 'a nonce',
    version: '2025-11-25',
    capabilities: { roots: {} },
    caller: '',
    issued: Date.now() - 1_000,
  }

  function createSetLevel(level: unknown, from: Session | null = session): Call {
    const call = createInitialize({ level })
    call.method = 'logging/setLevel'
    call.session = from
    return call
  }

  test('returns an empty result, and a session id with the level', async () => {
    const outcome = await setLogLevel(createSetLevel('warning'))
    expect(membersOf(outcome)).toEqual({})
    const log = { level: 'warning', at: expect.any(Number) }
    expect(await open(headersOf(outcome))).toEqual({ ...session, log })
  })

  test('counts for the first id, too', async () => {
    const own = { ...session, nonce: 'keeps its id' }
    await setLogLevel(createSetLevel('error', own))
    expect(settings.sessions.levelOf(own)).toBe('error')
    await setLogLevel(createSetLevel('debug', own))
    expect(settings.sessions.levelOf(own)).toBe('debug')
  })

  test('does not lengthen the life of the session', async () => {
    const outcome = await setLogLevel(createSetLevel('info'))
    expect(await open(headersOf(outcome))).toMatchObject({ issued: session.issued })
  })

  test('without a session changes nothing', async () => {
    const outcome = await setLogLevel(createSetLevel('info', null))
    expect(membersOf(outcome)).toEqual({})
    expect(headersOf(outcome)).toEqual({})
  })

  test.for(['verbose', '', 'Info', 6, null, undefined, {}])(
    'refuses the level %j',
    async (level) => {
      expect(await setLogLevel(createSetLevel(level))).toMatchObject({
        failure: { kind: 'invalid-params', why: expect.stringContaining('debug, info, notice') },
      })
    },
  )
})

describe('the methods of earlier revisions', () => {
  const find = (method: string) => findMethod({ method, revision: newestLegacy, settings })

  test.for(['initialize', 'ping', 'logging/setLevel', 'tools/list', 'tools/call'])(
    'have %s',
    (method) => {
      expect(find(method)).toBeTypeOf('function')
    },
  )

  test.for(['server/discover', 'subscriptions/listen', 'tools/remove', 'constructor', '', 'Ping'])(
    'lack "%s"',
    (method) => {
      expect(find(method)).toBeNull()
    },
  )
})
