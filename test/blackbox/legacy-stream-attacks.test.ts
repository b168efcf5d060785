import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDevLog } from '../support/dev-log.ts'
import { flood } from '../support/flood.ts'
import {
  toInitialize,
  toLegacyHeaders,
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { createReplyReader } from '../support/reply-reader.ts'
import { startWranglerDev, type WranglerDev } from '../support/wrangler-dev.ts'

/* What clients of earlier revisions can send to harm the questions and streams of others. */

const cwd = join(import.meta.dirname, '../everything')

let persist: string
let server: WranglerDev
let endpoint: string

beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'legacy-streams-'))
  server = await startWranglerDev({ cwd, persist, vars: () => ({ STATE_KEY: 'k'.repeat(44) }) })
  endpoint = `${server.url}/mcp`
}, 90_000)
afterAll(async () => {
  await server.stop()
  await rm(persist, { recursive: true, force: true, maxRetries: 3 })
})

// a message is whatever came: tests look into it and fail where it is something else
type Json = ReturnType<typeof JSON.parse>

const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }

async function initialize(): Promise<string> {
  const response = await fetch(toInitialize(endpoint, '2025-11-25', capabilities))
  await response.text()
  return response.headers.get('Mcp-Session-Id') ?? ''
}

/** A call whose stream is open. */
interface AskedCall {
  /** Resolves with the next message of the stream; `null` at its end. */
  readonly next: () => Promise<Json>
  readonly leave: () => void
}

async function open(session: string, name: string, input: object = {}): Promise<AskedCall> {
  const request = toLegacyRequest(
    endpoint,
    'tools/call',
    { name, arguments: input },
    { session, id: crypto.randomUUID() },
  )
  const left = new AbortController()
  const response = await fetch(new Request(request, { signal: left.signal }))
  const reader = createReplyReader(response.headers.get('Content-Type') ?? '')
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const messages: Json[] = []
  const next = async (): Promise<Json> => {
    if (messages.length > 0) return messages.shift()
    const { done = true, value = '' } = (await chunks?.read()) ?? {}
    if (done) return null
    for (const piece of reader.take(value))
      if (piece.kind === 'message') messages.push(piece.message)
    return next()
  }
  return { next, leave: () => left.abort() }
}

/** Reads this many questions of a call: its requests to the client. */
async function readQuestions(call: AskedCall, count: number): Promise<readonly Json[]> {
  const questions: Json[] = []
  while (questions.length < count) {
    // oxlint-disable-next-line no-await-in-loop
    const message = await call.next()
    if (message === null) throw new Error('The stream ended before its questions.')
    if ('method' in message && 'id' in message) questions.push(message)
  }
  return questions
}

/** Posts an answer, and returns the status. */
async function answer(session: string | null, id: unknown, result: object): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, result })
  const response = await fetch(toLegacyPost(endpoint, body, { session }))
  await response.text()
  return response.status
}

async function notify(session: string, method: string, params: object): Promise<number> {
  const response = await fetch(
    toLegacyPost(endpoint, toLegacyNotification(method, params), { session }),
  )
  await response.text()
  return response.status
}

const accepted = (content: object) => ({ action: 'accept', content })
const named = accepted({ name: 'Ada' })
const greeting = { role: 'assistant', content: { type: 'text', text: 'Hi.' }, model: 'eliza' }
const roots = { roots: [{ uri: 'file:///one' }, { uri: 'file:///two' }] }
const threeQuestions = 'test_input_required_result_multiple_inputs'

/** The tables of all objects that carried answers. An object that stores nothing has none. */
async function listStored(): Promise<readonly unknown[]> {
  const files = await readdir(persist, { recursive: true })
  return files
    .filter((file) => /Bridge\/(?!metadata)[^/]*\.sqlite$/.test(file))
    .flatMap((file) => {
      const database = new DatabaseSync(join(persist, file), { readOnly: true })
      try {
        return database
          .prepare("SELECT name FROM sqlite_master WHERE name NOT LIKE '__miniflare%'")
          .all()
      } finally {
        database.close()
      }
    })
}

describe('answers', () => {
  it('that are forged, late, sent twice or by another client reach nothing', async () => {
    const [session, other] = [await initialize(), await initialize()]
    const call = await open(session, threeQuestions)
    const [form, sample, list] = await readQuestions(call, 3)
    const lie = accepted({ name: 'Mallory' })

    // not the session that was asked
    expect(await answer(other, form.id, lie)).toBe(400)
    expect(await answer(null, form.id, lie)).toBe(400)
    expect(await answer('forged', form.id, lie)).toBe(404)
    // not an id that the server sealed
    const forged = [
      `${form.id}A`,
      form.id.slice(0, -1),
      form.id.toUpperCase(),
      `1.${'A'.repeat(200)}`,
      'x'.repeat(8_192),
      session,
      '0',
      0,
      1,
    ]
    for (const id of forged) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await answer(session, id, lie)).toBe(400)
    }

    expect(await answer(session, form.id, named)).toBe(202)
    expect(await answer(session, form.id, lie)).toBe(400)
    expect(await answer(session, sample.id, greeting)).toBe(202)
    expect(await answer(session, list.id, roots)).toBe(202)
    const { result } = await call.next()
    expect(result.content[0].text).toBe('Ada was greeted by eliza in 2 roots.')
    // the call has ended
    expect(await answer(session, form.id, lie)).toBe(400)
  })

  it('to another question of the same call are not taken for its answer', async () => {
    const session = await initialize()
    const call = await open(session, threeQuestions)
    const [form, sample, list] = await readQuestions(call, 3)
    expect(await answer(session, form.id, roots)).toBe(202)
    expect(await answer(session, sample.id, named)).toBe(202)
    expect(await answer(session, list.id, greeting)).toBe(202)
    const last = await call.next()
    expect(JSON.stringify(last)).toContain('"id"')
    expect(JSON.stringify(last)).not.toContain('was greeted by')
    call.leave()
  })

  it('to a call whose client has gone reach nothing', async () => {
    const session = await initialize()
    const call = await open(session, threeQuestions)
    const [form] = await readQuestions(call, 3)
    call.leave()
    await expect
      .poll(() => answer(session, form.id, named), { timeout: 20_000, interval: 500 })
      .toBe(400)
  }, 30_000)

  it('to some of 1,000 open questions arrive, each at its own call, and nothing is stored', async () => {
    const session = await initialize()
    const calls = await flood(340, async () => {
      const call = await open(session, threeQuestions)
      return { call, questions: await readQuestions(call, 3) }
    })
    const ids = calls.flatMap(({ questions }) => questions.map(({ id }) => id))
    expect(new Set(ids).size).toBe(1_020)
    const some = calls.filter((_, index) => index % 20 === 0)
    const texts = await Promise.all(
      some.map(async ({ call, questions }, index) => {
        const [form, sample, list] = questions
        await answer(session, form.id, accepted({ name: `Ada ${index}` }))
        await answer(session, sample.id, greeting)
        await answer(session, list.id, roots)
        const { result } = await call.next()
        return result.content[0].text
      }),
    )
    expect(texts).toEqual(some.map((_, i) => `Ada ${i} was greeted by eliza in 2 roots.`))
    for (const { call } of calls) call.leave()
    expect(await listStored()).toEqual([])
  }, 120_000)
})

describe('floods', () => {
  it('1,000 cancellations stop no other call, of this session or of another', async () => {
    const [session, other] = [await initialize(), await initialize()]
    const sleeping = await open(session, 'sleep', { ms: 4_000 })
    const statuses = await flood(1_000, (index) =>
      notify(index % 2 === 0 ? session : other, 'notifications/cancelled', { requestId: index }),
    )
    expect(new Set(statuses)).toEqual(new Set([202]))
    const { result } = await sleeping.next()
    expect(result.content[0].text).toBe('Slept 4000 ms.')
    const long = { requestId: 'x'.repeat(500_000) }
    const sent = await flood(10, () => notify(session, 'notifications/cancelled', long))
    expect(new Set(sent)).toEqual(new Set([202]))
  }, 60_000)

  it('of subscriptions end at the limit of a session', async () => {
    const session = await initialize()
    const codes = await flood(150, async (index) => {
      const uri = `test://template/${index}/data`
      const request = toLegacyRequest(endpoint, 'resources/subscribe', { uri }, { session })
      const { result, error }: Json = await (await fetch(request)).json()
      return result === undefined ? error.code : 0
    })
    expect(codes.filter((code) => code === 0)).toHaveLength(100)
    expect(codes.filter((code) => code === -32602)).toHaveLength(50)
  }, 60_000)

  it('of GET streams of one session leave one open', async () => {
    const session = await initialize()
    const headers = toLegacyHeaders({ session, headers: { Accept: 'text/event-stream' } })
    headers.delete('Content-Type')
    const left = new AbortController()
    const streams = await flood(50, () => fetch(endpoint, { headers, signal: left.signal }))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    let closed = 0
    for (const { body } of streams) {
      body
        ?.pipeTo(new WritableStream())
        .then(() => (closed += 1))
        .catch(() => {})
    }
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(49)
    left.abort()
  }, 60_000)
})

it('the log has nothing besides the requests', async () => {
  expect(await readDevLog(server)).toEqual([])
})
