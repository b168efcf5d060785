import { describe, expect, test } from 'vitest'
import type { Call } from '../../../../src/mcp/call.ts'
import {
  openLegacyEnvelope,
  openSession,
  sessionHeader,
} from '../../../../src/mcp/legacy/legacy-envelope.ts'
import type { Session } from '../../../../src/mcp/legacy/session.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import { createSealer } from '../../../../src/util/seal.ts'
import { createCall, createSettings } from '../test-call.ts'

const key = 'k'.repeat(32)
const settings = createSettings()
const versionHeader = 'MCP-Protocol-Version'

const session: Session = {
  nonce: 'a nonce',
  version: '2025-06-18',
  capabilities: { sampling: {} },
  caller: '',
  issued: Date.now(),
}

function createLegacyCall(headers: Record<string, string>, params: JsonObject = {}): Call {
  return createCall(settings, 'tools/call', params, { headers, env: { STATE_KEY: key } })
}

function seal(changes: Partial<Session> = {}): Promise<string> {
  return settings.sessions.seal({ ...session, ...changes }, createSealer([key], 'session'))
}

describe('the revision of a request', () => {
  test.for([
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18, 2025-06-18', '2025-06-18'],
    ['2025-06-18,2025-06-18,2025-06-18', '2025-06-18'],
  ] as const)('is that of the header %s', async ([header, version]) => {
    const call = createLegacyCall({ [versionHeader]: header })
    expect(await openSession(call)).toBeNull()
    expect(call.revision?.version).toBe(version)
  })

  test.for(['2025-01-01', '2025-06-18, 2025-11-25', '2025-06-18,', 'latest', '1.0', ' , '])(
    'is refused for the header "%s"',
    async (header) => {
      const call = createLegacyCall({ [versionHeader]: header })
      expect(await openSession(call)).toMatchObject({
        kind: 'failure',
        failure: { kind: 'unsupported-version', supported: settings.versions },
      })
    },
  )

  test.for([{}, { [versionHeader]: '' }])(
    'is 2025-03-26 without a session and with the headers %j',
    async (headers) => {
      const call = createLegacyCall(headers)
      expect(await openSession(call)).toBeNull()
      expect(call.revision?.version).toBe('2025-03-26')
      expect(call.session).toBeNull()
    },
  )

  test('is that of the session without a header', async () => {
    const call = createLegacyCall({ [sessionHeader]: await seal() })
    expect(await openSession(call)).toBeNull()
    expect(call.revision?.version).toBe('2025-06-18')
  })

  test('is that of the header if the session has another one', async () => {
    const id = await seal()
    const call = createLegacyCall({ [sessionHeader]: id, [versionHeader]: '2025-11-25' })
    expect(await openSession(call)).toBeNull()
    expect(call.revision?.version).toBe('2025-11-25')
    expect(call.session).toEqual(session)
  })
})

describe('a session', () => {
  test('that does not open ends the request', async () => {
    const call = createLegacyCall({ [sessionHeader]: 'forged' })
    expect(await openSession(call)).toEqual({
      kind: 'failure',
      failure: { kind: 'session-not-found' },
    })
  })

  test('of another caller ends the request', async () => {
    const call = createLegacyCall({ [sessionHeader]: await seal({ caller: 'ada' }) })
    expect(await openSession(call)).toMatchObject({ failure: { kind: 'session-not-found' } })
  })

  test('ends the request where the Worker has no key', async () => {
    const headers = { [sessionHeader]: await seal({ nonce: 'unseen' }) }
    const elsewhere = createSettings()
    const call = createCall(elsewhere, 'tools/call', {}, { headers, exports: {} })
    expect(await openSession(call)).toMatchObject({ failure: { kind: 'session-not-found' } })
  })

  test('without characters is none', async () => {
    const call = createLegacyCall({ [sessionHeader]: '' })
    expect(await openSession(call)).toBeNull()
    expect(call.session).toBeNull()
  })
})

describe('the envelope', () => {
  test('without a session declares nothing', () => {
    const call = createLegacyCall({})
    expect(openLegacyEnvelope(call)).toBeNull()
    expect(call.envelope).toEqual({ clientCapabilities: {} })
  })

  test('has what the session says', async () => {
    const log = { level: 'notice', at: 1 } as const
    const call = createLegacyCall({ [sessionHeader]: await seal({ nonce: 'logs', log }) })
    await openSession(call)
    expect(openLegacyEnvelope(call)).toBeNull()
    expect(call.envelope).toEqual({ clientCapabilities: { sampling: {} }, logLevel: 'notice' })
  })

  test('has nothing that only revision 2026-07-28 has', () => {
    const _meta = {
      'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
      'io.modelcontextprotocol/logLevel': 'debug',
    }
    const call = createLegacyCall({}, { _meta })
    expect(openLegacyEnvelope(call)).toBeNull()
    expect(call.envelope).toEqual({ clientCapabilities: {} })
  })

  test.for(['token', 7, 0, ''])('has the progress token %j', (progressToken) => {
    const call = createLegacyCall({}, { _meta: { progressToken } })
    expect(openLegacyEnvelope(call)).toBeNull()
    expect(call.envelope.progressToken).toBe(progressToken)
  })

  test.for([1.5, true, {}, [], null])('refuses the progress token %j', (progressToken) => {
    const call = createLegacyCall({}, { _meta: { progressToken } })
    expect(openLegacyEnvelope(call)).toMatchObject({ failure: { kind: 'invalid-params' } })
  })
})
