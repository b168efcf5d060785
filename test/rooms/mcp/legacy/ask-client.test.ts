import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { carry, definePrompt, defineResource, defineTool, form, link, roots, sample } from 'helve'
import * as z from 'zod'
import { custom } from '../../../../src/auth/custom.ts'
import { createServer } from '../../../spec/server.ts'
import { accept, everything, openAsked, toErrorResponse, toResponse } from './asked-call.ts'

const description = 'Asks.'
const ran = vi.fn<(answers: unknown) => void>()
const yes = z.object({ yes: z.boolean() })
// a value that other requests of the isolate change
const price = { total: 1 }
const stock = { pieces: 2 }

const made = {
  pay: defineTool({
    description,
    ask: () => ({ sure: form('Pay?', yes) }),
    run({ answers }) {
      ran(answers)
      return 'paid'
    },
  }),
  three: defineTool({
    description,
    ask: () => ({
      name: form('Who?', z.object({ name: z.string() })),
      text: sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
        maxTokens: 9,
      }),
      folders: roots(),
    }),
    run: ({ answers: { name, text, folders } }) =>
      `${name.name} ${text.model} ${folders.map(({ uri }) => uri).join()}`,
  }),
  open: defineTool({
    description,
    ask: ({ can }) => (can.link ? { page: link('Open?', 'https://example.com/pay') } : {}),
    run: ({ answers }) => Object.keys(answers).join() || 'no page',
  }),
  opens: defineTool({
    description,
    ask: () => ({ page: link('Open?', 'https://example.com/pay') }),
    run: () => 'opened',
  }),
  writes: defineTool({
    description,
    ask: () => ({ text: sample({ messages: [], maxTokens: 9 }) }),
    run: () => 'written',
  }),
  steps: defineTool({
    description,
    ask: ({ answers }) => ({
      token: carry('t'),
      first: form('First?', yes),
      second: answers['first'] === undefined ? undefined : form('Second?', yes),
    }),
    run: ({ answers }) => `${answers.token} ${JSON.stringify(answers)}`,
  }),
  carried: defineTool({
    description,
    ask: () => ({ token: carry('t') }),
    run: ({ answers }) => answers.token,
  }),
  fixed: defineTool({
    description,
    ask: ({ answers }) => ({
      price: carry(price),
      first: form('First?', yes),
      second: answers['first'] === undefined ? undefined : form('Second?', yes),
    }),
    run: ({ answers }) => `${answers.price.total}`,
  }),
  limited: defineTool({
    description,
    input: z.object({ pieces: z.number().refine((pieces) => pieces <= stock.pieces, 'Sold out.') }),
    ask: ({ input }) => ({ sure: form(`Buy ${input.pieces}?`, yes) }),
    run: ({ input }) => `bought ${input.pieces}`,
  }),
  brief: defineTool({
    description,
    timeout: '250ms',
    ask: () => ({ sure: form('Sure?', yes) }),
    run: () => 'in time',
  }),
  many: defineTool({
    description,
    ask: () => Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`q${n}`, form('?', yes)])),
    run: () => 'done',
  }),
  prompt: definePrompt({
    description,
    ask: () => ({ sure: form('Sure?', yes) }),
    messages: () => 'done',
  }),
  resource: defineResource({
    uri: 'shop://asked',
    mime: 'text/plain',
    ask: () => ({ sure: form('Sure?', yes) }),
    read: () => 'done',
  }),
}

const server = createServer({}, made)

beforeEach(() => {
  ran.mockClear()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function call(name: string, session: string, version = '2025-11-25' as const) {
  return openAsked(server, 'tools/call', { name }, { session, version })
}

function textOf(message: { result: { content: readonly { text: string }[] } }): string {
  return message.result.content.map(({ text }) => text).join()
}

const notOpen = {
  jsonrpc: '2.0',
  error: { code: -32600, message: expect.stringContaining('no open question') },
}

describe('a client that is asked', () => {
  test('gets a request on the stream of its call, and posts the answer', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    const question = await asked.next()
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.stringMatching(/^1\.[\w-]+$/),
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Pay?', requestedSchema: expect.any(Object) },
    })
    const { status, text } = await server.postLegacy(accept(question, { yes: true }), { session })
    expect([status, text]).toEqual([202, ''])
    expect(await asked.rest()).toEqual([
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'paid' }] } },
    ])
    expect(ran).toHaveBeenCalledExactlyOnceWith({ sure: { yes: true } })
  })

  test('gets all questions of a round before it answers one, and answers in any order', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('three', session)
    const [name, text, folders] = [await asked.next(), await asked.next(), await asked.next()]
    expect([name.method, text.method, folders.method]).toEqual([
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
    ])
    const content = { type: 'text', text: 'Hello' }
    await server.postLegacy(toResponse(folders, { roots: [{ uri: 'file:///home' }] }), { session })
    await server.postLegacy(accept(name, { name: 'Ada' }), { session })
    const message = { role: 'assistant', model: 'm1', content }
    await server.postLegacy(toResponse(text, message), { session })
    expect(textOf(await asked.next())).toBe('Ada m1 file:///home')
  })

  test('opens a link', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('open', session)
    const question = await asked.next()
    expect(question.params).toEqual({
      mode: 'url',
      message: 'Open?',
      url: 'https://example.com/pay',
      elicitationId: expect.any(String),
    })
    await server.postLegacy(accept(question), { session })
    expect(textOf(await asked.next())).toBe('page')
  })

  test('that answers wrongly in every round is told why the call was not run', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    for (let round = 1; round <= 8; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each round waits for the one before
      await server.postLegacy(accept(await asked.next(), { yes: 'maybe' }), { session })
    }
    expect(textOf(await asked.next())).toBe(
      'pay was not run: after 8 rounds of questions an answer is still missing or invalid. ' +
        '"yes" must be a boolean, but is a string. Call it again to ask the user anew.',
    )
    expect(ran).not.toHaveBeenCalled()
  })

  test('is asked round after round, and again with the reason after a wrong answer', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('steps', session)
    await server.postLegacy(accept(await asked.next(), { yes: 'maybe' }), { session })
    const again = await asked.next()
    expect(again.params.message).toBe(
      'First?\n\nThe last answer was not accepted. "yes" must be a boolean, but is a string.',
    )
    await server.postLegacy(accept(again, { yes: true }), { session })
    const second = await asked.next()
    expect(second.params.message).toBe('Second?')
    await server.postLegacy(accept(second, { yes: false }), { session })
    expect(textOf(await asked.next())).toBe(
      't {"token":"t","first":{"yes":true},"second":{"yes":false}}',
    )
  })

  test('decides about carried values as they were when it was asked first', async () => {
    price.total = 1
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('fixed', session)
    const first = await asked.next()
    price.total = 2
    await server.postLegacy(accept(first, { yes: true }), { session })
    const second = await asked.next()
    price.total = 3
    await server.postLegacy(accept(second, { yes: true }), { session })
    expect(textOf(await asked.next())).toBe('1')
  })

  test('has its arguments checked again with its answer', async () => {
    stock.pieces = 2
    const session = await server.initialize('2025-11-25', everything)
    const params = { name: 'limited', arguments: { pieces: 2 } }
    const [one, other] = [
      await openAsked(server, 'tools/call', params, { session }),
      await openAsked(server, 'tools/call', params, { session }),
    ]
    await server.postLegacy(accept(await one.next(), { yes: true }), { session })
    expect(textOf(await one.next())).toBe('bought 2')
    stock.pieces = 0
    await server.postLegacy(accept(await other.next(), { yes: true }), { session })
    const ended = await other.next()
    expect(ended.result.isError).toBe(true)
    expect(textOf(ended)).toContain('Sold out.')
  })

  test('may take longer than the time limit of the tool', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('brief', session)
    const question = await asked.next()
    await scheduler.wait(400)
    await server.postLegacy(accept(question, { yes: true }), { session })
    expect(textOf(await asked.next())).toBe('in time')
  })

  test.each([
    ['decline', 'The user declined to answer "sure", so pay was not run.'],
    ['cancel', 'The user closed the question "sure" without an answer, so pay was not run.'],
  ])('ends its call with %s', async (action, sentence) => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    await server.postLegacy(toResponse(await asked.next(), { action }), { session })
    const ended = await asked.next()
    expect([ended.result.isError, textOf(ended)]).toEqual([true, sentence])
    expect(ran).not.toHaveBeenCalled()
  })

  test('ends its call with an error, and its other questions are cancelled', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('three', session)
    const [name, text, folders] = [await asked.next(), await asked.next(), await asked.next()]
    const refusal = toErrorResponse(text, -1, `User rejected ${'x'.repeat(500)}`)
    expect((await server.postLegacy(refusal, { session })).status).toBe(202)
    const [first, second, ended] = await asked.rest()
    expect([first, second]).toMatchObject(
      [name, folders].map(({ id }) => ({
        method: 'notifications/cancelled',
        params: { requestId: id },
      })),
    )
    expect(textOf(ended)).toMatch(
      /^The client did not answer "text", so three was not run\. The client's error was: User rejected x{186}… \(-1\)$/,
    )
    const late = await server.postLegacy(accept(name, { name: 'Ada' }), { session })
    expect([late.status, late.body]).toEqual([400, notOpen])
  })

  test.each([
    [{ code: -1, message: 'User rejected' }, true],
    [null, undefined],
  ])('and answers with a result and the error %j', async (error, isError) => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    const answer = JSON.parse(accept(await asked.next(), { yes: true }))
    await server.postLegacy(JSON.stringify({ ...answer, error }), { session })
    expect((await asked.next()).result.isError).toBe(isError)
    expect(ran).toHaveBeenCalledTimes(isError ? 0 : 1)
  })

  test('ends its call with a number that JavaScript would change', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    const { id } = await asked.next()
    const body = `{"jsonrpc":"2.0","id":"${id}","result":{"action":"accept","content":{"yes":12345678901234567890}}}`
    expect((await server.postLegacy(body, { session })).status).toBe(202)
    expect(textOf(await asked.next())).toContain('12345678901234567890')
  })

  test('is asked by prompts and resources, whose refusals are errors', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const prompt = await openAsked(server, 'prompts/get', { name: 'prompt' }, { session })
    await server.postLegacy(accept(await prompt.next(), { yes: true }), { session })
    expect(await prompt.next()).toMatchObject({ result: { messages: [{ role: 'user' }] } })
    const read = await openAsked(server, 'resources/read', { uri: 'shop://asked' }, { session })
    await server.postLegacy(toResponse(await read.next(), { action: 'decline' }), { session })
    expect(await read.next()).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('The user declined') },
    })
  })
})

describe('an answer', () => {
  test('counts once', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('three', session)
    const [name] = [await asked.next(), await asked.next(), await asked.next()]
    const answer = accept(name, { name: 'Ada' })
    const both = await Promise.all([
      server.postLegacy(answer, { session }),
      server.postLegacy(answer, { session }),
    ])
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([202, 400]))
    await asked.leave()
  })

  test.each([
    [
      'with a forged id',
      (id: string) => id.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA')),
    ],
    ['with a number as its id', () => 7],
    ['without an id', () => undefined],
  ])('%s reaches nothing', async (_, change) => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    const question = await asked.next()
    const forged = accept({ id: change(question.id) }, { yes: true })
    const { status, body } = await server.postLegacy(forged, { session })
    expect([status, body]).toEqual([400, notOpen])
    await server.postLegacy(accept(question, { yes: true }), { session })
    expect(textOf(await asked.next())).toBe('paid')
  })

  test.each([
    ['of another session', async () => server.initialize('2025-11-25', everything)],
    ['without the session', async () => null],
  ])('%s reaches nothing', async (_, other) => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    const question = await asked.next()
    const answer = accept(question, { yes: true })
    const { status, body } = await server.postLegacy(answer, { session: await other() })
    expect([status, body]).toEqual([400, notOpen])
    await asked.leave()
    expect(ran).not.toHaveBeenCalled()
  })

  test('of another caller reaches nothing', async () => {
    const auth = custom(({ headers }) => ({
      subject: headers.get('Authorization') ?? '',
      scopes: [],
    }))
    const guarded = createServer({ auth }, made)
    const as = (name: string) => ({ headers: { Authorization: name } })
    const begin = async (name: string) => {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: everything,
        clientInfo: { name: 'test', version: '1' },
      }
      const { headers } = await guarded.askLegacy('initialize', params, as(name))
      return headers.get('Mcp-Session-Id')
    }
    const session = await begin('Bearer ada')
    const changes = { session, ...as('Bearer ada') }
    const asked = await openAsked(guarded, 'tools/call', { name: 'pay' }, changes)
    const answer = accept(await asked.next(), { yes: true })
    const stolen = await guarded.postLegacy(answer, { session, ...as('Bearer eve') })
    expect(stolen.status).toBe(404)
    const own = { session: await begin('Bearer eve'), ...as('Bearer eve') }
    const foreign = await guarded.postLegacy(answer, own)
    expect([foreign.status, foreign.body]).toEqual([400, notOpen])
    await guarded.postLegacy(answer, changes)
    expect(textOf(await asked.next())).toBe('paid')
  })

  test('is awaited for five minutes', async () => {
    const session = await server.initialize('2025-11-25', everything)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = await call('pay', session)
    const question = await asked.next()
    await vi.advanceTimersByTimeAsync(299_000)
    const reading = asked.rest()
    await vi.advanceTimersByTimeAsync(2_000)
    const [cancelled, ended] = await reading
    vi.useRealTimers()
    expect(cancelled).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: question.id },
    })
    expect([ended.result.isError, textOf(ended)]).toEqual([
      true,
      'pay was not run: after 5 minutes there was no answer to "sure". Call it again when the user is there.',
    ])
    const late = await server.postLegacy(accept(question, { yes: true }), { session })
    expect([late.status, late.body]).toEqual([400, notOpen])
    expect(ran).not.toHaveBeenCalled()
  })

  test('reaches nothing after the client has closed the connection of its call', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await call('pay', session)
    const question = await asked.next()
    await asked.leave()
    await vi.waitFor(async () => {
      const late = await server.postLegacy(accept(question, { yes: true }), { session })
      expect([late.status, late.body]).toEqual([400, notOpen])
    })
    expect(ran).not.toHaveBeenCalled()
  })
})

describe('a call that cannot ask', () => {
  test.each([
    ['without a session', null, 'Send the Mcp-Session-Id that `initialize` returned.'],
    ['without the capability', {}, 'needs elicitation.form, which this client did not declare'],
  ])('%s says what is missing', async (_, capabilities, sentence) => {
    const session = capabilities && (await server.initialize('2025-11-25', capabilities))
    const { body } = await server.askLegacy('tools/call', { name: 'pay' }, { session })
    expect(body.result.isError).toBe(true)
    expect(textOf(body)).toContain(sentence)
    expect(ran).not.toHaveBeenCalled()
  })

  const later = 'lacks. Use a client that speaks a later revision.'
  const undeclared =
    'which this client did not declare in `initialize`. Use a client that declares it.'
  test.each([
    ['2025-03-26', 'pay', `elicitation.form, which revision 2025-03-26 ${later}`],
    ['2025-06-18', 'pay', `elicitation.form, ${undeclared}`],
    ['2025-06-18', 'opens', `elicitation.url, which revision 2025-06-18 ${later}`],
    ['2025-11-25', 'opens', `elicitation.url, ${undeclared}`],
    ['2025-06-18', 'writes', `sampling, ${undeclared}`],
    ['2025-11-25', 'writes', `sampling, ${undeclared}`],
  ] as const)('of %s, for %s, says who lacks what', async (version, tool, sentence) => {
    const session = await server.initialize(version, {})
    const { body } = await server.askLegacy('tools/call', { name: tool }, { session, version })
    expect(textOf(body)).toBe(`${tool} was not run: what it asks needs ${sentence}`)
  })

  test('without a stream says so, in a batch as well', async () => {
    const version = '2025-03-26'
    const session = await server.initialize(version, { roots: {}, sampling: {} })
    const accepting = { Accept: 'application/json' }
    const params = { name: 'pay' }
    const alone = await server.askLegacy('tools/call', params, { session, headers: accepting })
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { text } = await server.postLegacy(JSON.stringify([request]), { session, version })
    const [part] = JSON.parse(text)
    expect([textOf(alone.body), textOf(part)]).toEqual(
      Array(2).fill(
        'pay was not run: it asks questions, which needs a stream. Send the call in a POST of its own ' +
          'that accepts text/event-stream.',
      ),
    )
  })

  test('tells `ask` that the client cannot be asked', async () => {
    const { body } = await server.askLegacy('tools/call', { name: 'open' })
    expect(textOf(body)).toBe('no page')
  })

  test('needs no client for carried values', async () => {
    const { body } = await server.askLegacy('tools/call', { name: 'carried' })
    expect(textOf(body)).toBe('t')
  })

  test('asks at most 100 questions at once', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const { body } = await server.askLegacy('tools/call', { name: 'many' }, { session })
    expect(textOf(body)).toContain('a fault on the server: it asks 101 questions at once')
  })

  test('ignores what only revision 2026-07-28 has', async () => {
    const answers = { sure: { action: 'accept', content: { yes: true } } }
    const params = { name: 'pay', inputResponses: answers, requestState: 'forged' }
    const { body } = await server.askLegacy('tools/call', params)
    expect(textOf(body)).toContain('Send the Mcp-Session-Id')
    expect(ran).not.toHaveBeenCalled()
  })
})

describe('the access of a call that waits for its user', () => {
  const valid = new Set<string>()
  const auth = custom(({ headers }) => {
    const token = headers.get('X-Token') ?? 'first'
    const scopes = token === 'narrow' ? [] : ['pay']
    return valid.has(token) ? { subject: 'ada', scopes, claims: { token } } : null
  })
  let isShown = true
  const tool = {
    description,
    visible: () => isShown,
    ask: () => ({ sure: form('Pay?', yes) }),
    run({ caller }: { readonly caller: { readonly claims: object } | null }) {
      ran(caller?.claims)
      return 'paid'
    },
  }
  const guarded = createServer(
    { auth },
    { scoped: defineTool({ ...tool, scopes: ['pay'] }), open: defineTool(tool) },
  )

  beforeEach(() => {
    for (const token of ['first', 'fresh', 'narrow']) valid.add(token)
    isShown = true
  })

  const open = async (name: string) => {
    const session = await guarded.initialize('2025-11-25', everything)
    const asked = await openAsked(guarded, 'tools/call', { name }, { session })
    const answer = accept(await asked.next(), { yes: true })
    const post = async (token: string): Promise<number> =>
      (await guarded.postLegacy(answer, { session, headers: { 'X-Token': token } })).status
    return { asked, post }
  }

  test('is that of the answer, whose token may be newer', async () => {
    const { asked, post } = await open('scoped')
    valid.delete('first')
    expect(await post('first')).toBe(401)
    expect(await post('fresh')).toBe(202)
    expect(textOf(await asked.next())).toBe('paid')
    expect(ran.mock.calls).toEqual([[{ token: 'fresh' }]])
  })

  test.each<[string, string, string, () => void, string]>([
    ['a scope is lost', 'scoped', 'narrow', () => {}, 'lack a scope'],
    ['a scope is lost that only visibility may need', 'open', 'narrow', () => {}, 'lack a scope'],
    ['the tool is hidden', 'open', 'fresh', () => void (isShown = false), 'no longer served'],
  ])('is checked again: %s', async (_, name, token, change, why) => {
    const { asked, post } = await open(name)
    change()
    expect(await post(token)).toBe(202)
    const [result] = await asked.rest()
    expect(textOf(result)).toContain(why)
    expect(ran).not.toHaveBeenCalled()
  })
})
