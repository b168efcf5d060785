import { describe, expect, test } from 'vitest'
import { type Session, Sessions, sessionLifetime } from '../../../../src/mcp/legacy/session.ts'
import { type Sealer, createSealer } from '../../../../src/util/seal.ts'

const [key, otherKey] = ['k'.repeat(32), 'o'.repeat(32)]
const day = 86_400_000
const issued = Date.UTC(2026, 11, 1)

const session: Session = {
  nonce: '00000000-0000-4000-8000-000000000000',
  version: '2025-11-25',
  capabilities: { elicitation: { form: {} } },
  caller: 'digest of ada',
  issued,
}

interface Opening {
  readonly caller?: string
  readonly now?: number
  readonly secrets?: readonly string[]
  readonly server?: string
}

/** Opens an id in an isolate that has not seen it before. */
async function open(id: string, opening: Opening = {}): Promise<Session | null> {
  const { caller = session.caller, now = issued, secrets = [key], server = 'shop' } = opening
  return new Sessions(server).open(id, caller, now, keysOf(secrets))
}

function keysOf(secrets: readonly string[]) {
  return { hasKey: true, sealer: async () => createSealer(secrets, 'session') }
}

const seal = (value: Session = session, sealer: Sealer = createSealer([key], 'session')) =>
  new Sessions('shop').seal(value, sealer)

describe('an id', () => {
  test('opens in every isolate of the server', async () => {
    expect(await open(await seal())).toEqual(session)
  })

  test('is visible ASCII and short, and shows nothing of the session', async () => {
    const id = await seal()
    expect(id).toMatch(/^[\x21-\x7e]{200,600}$/)
    const text = atob(id.slice(2).replaceAll('-', '+').replaceAll('_', '/'))
    for (const part of ['2025', 'elicitation', 'ada']) expect(text).not.toContain(part)
  })

  test('of the longest session is short enough for every header', async () => {
    const digest = 'd'.repeat(43)
    const capabilities = {
      elicitation: { form: {}, url: {} },
      sampling: { context: {}, tools: {} },
      roots: {},
    }
    const log = { level: 'emergency', at: issued } as const
    const id = await seal({ ...session, capabilities, caller: digest, log })
    expect(id.length).toBeLessThan(700)
  })

  test('is another one each time', async () => {
    expect(await seal()).not.toBe(await seal())
  })

  test('has the log level', async () => {
    const log = { level: 'warning', at: issued } as const
    expect(await open(await seal({ ...session, log }))).toEqual({ ...session, log })
  })

  test('is opened once in an isolate, and then found in its memory', async () => {
    const sessions = new Sessions('shop')
    let asked = 0
    const keys = {
      hasKey: true,
      sealer: async () => {
        asked += 1
        return createSealer([key], 'session')
      },
    }
    const id = await seal()
    expect(await sessions.open(id, session.caller, issued, keys)).toEqual(session)
    expect(await sessions.open(id, session.caller, issued, keys)).toEqual(session)
    expect(asked).toBe(1)
  })

  test('needs no key in the isolate that sealed it', async () => {
    const sessions = new Sessions('shop')
    const id = await sessions.seal(session, createSealer([key], 'session'))
    const keys = { hasKey: true, sealer: () => Promise.reject(new Error('No key was needed.')) }
    expect(await sessions.open(id, session.caller, issued, keys)).toEqual(session)
  })
})

test('of an anonymous caller opens when its client has authenticated', async () => {
  const id = await seal({ ...session, caller: '' })
  expect(await open(id, { caller: 'digest of ada' })).toMatchObject({ nonce: session.nonce })
})

describe('does not open', () => {
  const refused: readonly (readonly [string, Opening])[] = [
    ['for another caller', { caller: 'digest of bob' }],
    ['for an anonymous caller', { caller: '' }],
    ['at another server that has the same key', { server: 'bank' }],
    ['with another key', { secrets: [otherKey] }],
    ['after 30 days', { now: issued + sessionLifetime }],
  ]
  test.for(refused)('%s', async ([, opening]) => {
    expect(await open(await seal(), opening)).toBeNull()
  })

  test('for another caller in the isolate that knows it', async () => {
    const sessions = new Sessions('shop')
    const id = await sessions.seal(session, createSealer([key], 'session'))
    expect(await sessions.open(id, 'digest of bob', issued, keysOf([key]))).toBeNull()
    expect(await sessions.open(id, session.caller, issued, keysOf([key]))).toEqual(session)
  })

  test('after 30 days in the isolate that knows it', async () => {
    const sessions = new Sessions('shop')
    const id = await sessions.seal(session, createSealer([key], 'session'))
    expect(sessionLifetime).toBe(30 * day)
    const last = issued + sessionLifetime - 1
    expect(await sessions.open(id, session.caller, last, keysOf([key]))).toEqual(session)
    expect(await sessions.open(id, session.caller, last + 1, keysOf([key]))).toBeNull()
  })

  test('with any one character changed, or cut anywhere', async () => {
    const id = await seal()
    const spoilt = Array.from(id, (character, index) => {
      const other = character === 'A' ? 'B' : 'A'
      return [
        id.slice(0, index) + other + id.slice(index + 1),
        id.slice(0, index),
        id.slice(index + 1),
      ]
    }).flat()
    const sessions = new Sessions('shop')
    const opened = await Promise.all(
      spoilt.map((text) => sessions.open(text, session.caller, issued, keysOf([key]))),
    )
    expect(opened).toEqual(spoilt.map(() => null))
  })

  test('if the text was sealed for another purpose', async () => {
    const id = await seal(session, createSealer([key], 'request-state'))
    expect(await open(id)).toBeNull()
  })

  test('where the server has no key', async () => {
    const keys = { hasKey: false, sealer: () => Promise.reject(new Error('There is no key.')) }
    const sessions = new Sessions('shop')
    expect(await sessions.open(await seal(), session.caller, issued, keys)).toBeNull()
  })

  const others = [
    null,
    'text',
    {},
    { ...session, nonce: 1 },
    { ...session, version: null },
    { ...session, capabilities: [] },
    { ...session, caller: undefined },
    { ...session, issued: '0' },
  ]
  test.for(others)('if another version of the server sealed %j', async (value) => {
    const id = await createSealer([key], 'session').seal(Object(value), 'shop')
    expect(await open(id)).toBeNull()
  })

  test.for([{ level: 'loud', at: 1 }, { level: 'info' }, 'info', null])(
    'with the log level %j, but without it',
    async (log) => {
      const id = await createSealer([key], 'session').seal({ ...session, log }, 'shop')
      expect(await open(id)).toEqual(session)
    },
  )
})

describe('after a rotation of STATE_KEY', () => {
  test('an id of the old key opens while that is listed second', async () => {
    expect(await open(await seal(), { secrets: [otherKey, key] })).toEqual(session)
  })

  test('and no longer when that was removed', async () => {
    expect(await open(await seal(), { secrets: [otherKey] })).toBeNull()
  })

  test('a new id is sealed with the new key', async () => {
    const id = await seal(session, createSealer([otherKey, key], 'session'))
    expect(await open(id, { secrets: [otherKey] })).toEqual(session)
  })
})

describe('the log level', () => {
  const [earlier, later] = [
    { level: 'error', at: issued },
    { level: 'debug', at: issued + 1 },
  ] as const

  test('is that of the id', () => {
    expect(new Sessions('shop').levelOf({ ...session, log: earlier })).toBe('error')
  })

  test('is none if the client set none', () => {
    expect(new Sessions('shop').levelOf(session)).toBeUndefined()
  })

  test('is that of the memory for a client that keeps its first id', () => {
    const sessions = new Sessions('shop')
    sessions.setLevel(session, later)
    expect(sessions.levelOf(session)).toBe('debug')
    expect(sessions.levelOf({ ...session, log: earlier })).toBe('debug')
    expect(sessions.levelOf({ ...session, nonce: 'another' })).toBeUndefined()
  })

  test('is that of the id if it was set later, in another isolate', () => {
    const sessions = new Sessions('shop')
    sessions.setLevel(session, earlier)
    expect(sessions.levelOf({ ...session, log: later })).toBe('debug')
  })

  test('is that of the memory if both are of the same millisecond', () => {
    const sessions = new Sessions('shop')
    sessions.setLevel(session, { level: 'info', at: issued })
    expect(sessions.levelOf({ ...session, log: earlier })).toBe('info')
  })
})

test('an isolate remembers 4,096 sessions', async () => {
  const sessions = new Sessions('shop')
  const sealer = createSealer([key], 'session')
  const first = await sessions.seal(session, sealer)
  const second = await sessions.seal(session, sealer)
  for (let more = 0; more < 4_095; more++) {
    // oxlint-disable-next-line no-await-in-loop -- their order counts
    await sessions.seal(session, sealer)
  }
  let asked = 0
  const keys = {
    hasKey: true,
    sealer: async () => {
      asked += 1
      return sealer
    },
  }
  await sessions.open(second, session.caller, issued, keys)
  expect(asked).toBe(0)
  await sessions.open(first, session.caller, issued, keys)
  expect(asked).toBe(1)
})

test('a session that ended does not open by any of its ids', async () => {
  const sessions = new Sessions('shop')
  const sealer = createSealer([key], 'session')
  const log = { level: 'info', at: issued } as const
  const ids = [
    await sessions.seal(session, sealer),
    await sessions.seal({ ...session, log }, sealer),
  ]
  sessions.end(session)
  for (const id of ids) {
    // oxlint-disable-next-line no-await-in-loop -- two
    expect(await sessions.open(id, session.caller, issued, keysOf([key]))).toBeNull()
  }
  const another = await sessions.seal({ ...session, nonce: 'another' }, sealer)
  expect(await sessions.open(another, session.caller, issued, keysOf([key]))).not.toBeNull()
})

describe('the notes of other isolates', () => {
  test('are looked at when the isolate first sees a session, and once a minute', () => {
    const sessions = new Sessions('shop')
    const times = [0, 59_999, 60_000, 60_001].map((ms) => issued + ms)
    expect(times.map((now) => sessions.areNotesDue(session, now))).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  test('are not looked at by the isolate where the session begins', async () => {
    const sessions = new Sessions('shop')
    await sessions.seal(session, createSealer([key], 'session'))
    expect(sessions.areNotesDue(session, Date.now())).toBe(false)
  })

  test('are looked at no later by an isolate that sets a level', async () => {
    const sessions = new Sessions('shop')
    const log = { level: 'info', at: Date.now() } as const
    await sessions.seal({ ...session, log }, createSealer([key], 'session'))
    expect(sessions.areNotesDue(session, Date.now())).toBe(true)
  })

  test('say that a session has ended', async () => {
    const sessions = new Sessions('shop')
    const id = await seal()
    expect(sessions.applyNote(session, {})).toBe(true)
    expect(await sessions.open(id, session.caller, issued, keysOf([key]))).toEqual(session)
    expect(sessions.applyNote(session, { isEnded: true })).toBe(false)
    expect(await sessions.open(id, session.caller, issued, keysOf([key]))).toBeNull()
  })

  test.for([{ level: 'debug', at: 1 }, { level: 'loud', at: 3 }, { level: 'info' }, 'info'])(
    'have the log level, but not %j after a later one',
    (log) => {
      const sessions = new Sessions('shop')
      sessions.applyNote(session, { log: { level: 'error', at: 2 } })
      expect(sessions.levelOf(session)).toBe('error')
      sessions.applyNote(session, { log })
      expect(sessions.levelOf(session)).toBe('error')
    },
  )
})
