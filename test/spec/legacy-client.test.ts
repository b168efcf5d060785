import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool, form, link, roots, sample } from 'helve'
import {
  type LegacyVersion,
  legacyVersions,
  toLegacyPost,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { type Message, readEvents } from '../support/sse-events.ts'
import { createServer, url } from './server.ts'

const description = 'An entry of this test.'
const name = z.object({ name: z.string().min(2) })
const ask = () => ({ name: form('Your name?', name) })
const messages = [{ role: 'user', content: { type: 'text', text: 'Greet me.' } }] as const

const { askLegacy, initialize, postLegacy, fetch, send } = createServer(
  {},
  {
    greet: defineTool({ description, ask, run: ({ answers }) => `Hello, ${answers.name.name}` }),
    told: defineTool({
      description,
      ask: () => ({ name: form('Your name?', name, { declined: 'tell' }) }),
      run: ({ answers }) => answers.name.action,
    }),
    rounds: defineTool({
      description,
      ask: ({ answers }) => ({
        first: form('First?', name),
        second: answers['first'] === undefined ? undefined : form('Second?', name),
      }),
      run: ({ answers }) => `${answers.first.name} and ${answers.second?.name}`,
    }),
    opens: defineTool({
      description,
      ask: () => ({ key: link('Please enter a key.', 'https://mcp.example.com/key') }),
      run: () => 'opened',
    }),
    write: defineTool({
      description,
      ask: () => ({ text: sample({ messages, maxTokens: 100 }) }),
      run: ({ answers }) => `${answers.text.model}: ${JSON.stringify(answers.text.content)}`,
    }),
    recall: defineTool({
      description,
      ask: () => ({ text: sample({ messages, maxTokens: 100, includeContext: 'thisServer' }) }),
      run: ({ answers }) => answers.text.model,
    }),
    use_tools: defineTool({
      description,
      ask: () => ({
        text: sample({
          messages,
          maxTokens: 100,
          tools: [{ name: 'look', inputSchema: { type: 'object' } }],
        }),
      }),
      run: () => 'looked',
    }),
    folders: defineTool({
      description,
      ask: () => ({ roots: roots() }),
      run: ({ answers }) => answers.roots.map(({ uri }) => uri).join(', '),
    }),
    all: defineTool({
      description,
      ask: () => ({ name: form('Your name?', name), text: sample({ messages, maxTokens: 9 }) }),
      run: ({ answers }) => `${answers.name.name}, ${answers.text.model}`,
    }),
    choose: defineTool({
      description,
      ask: () => ({
        choice: form(
          'Which?',
          z.object({
            one: z.union([
              z.literal('a').meta({ title: 'The first' }),
              z.literal('b').meta({ title: 'The second' }),
            ]),
          }),
        ),
      }),
      run: ({ answers }) => answers.choice.one,
    }),
    plan: definePrompt({
      description,
      ask,
      messages: ({ answers }) => `A plan for ${answers.name.name}.`,
    }),
    note: defineResource({
      uri: 'test://note',
      mime: 'text/plain',
      ask,
      read: ({ answers }) => `A note to ${answers.name.name}.`,
    }),
  },
)

type Answer = { readonly result: unknown } | { readonly error: object }

/** A client of a session, which answers what it is asked. */
async function open(version: LegacyVersion, capabilities: object) {
  const session = await initialize(version, capabilities)
  const changes = { version, session }
  const post = (id: unknown, answer: Answer) =>
    postLegacy(JSON.stringify({ jsonrpc: '2.0', id, ...answer }), changes)
  const start = async (method: string, params: object) =>
    readEvents(await fetch(toLegacyRequest(url, method, params, { ...changes, id: 'call' })))

  /** Sends a request, and answers each question. Returns the questions and the response. */
  async function converse(method: string, params: object, answer: (asked: Message) => Answer) {
    const { nextMessage, messages: rest } = await start(method, params)
    const questions: Message[] = []
    const next = async (): Promise<Message> => {
      const message = await nextMessage()
      if (message.method === undefined) return message
      questions.push(message)
      const { status, text } = await post(message.id, answer(message))
      expect([status, text]).toEqual([202, ''])
      return next()
    }
    const response = await next()
    // the response is the last message of its stream
    expect(await rest()).toEqual([])
    expect(response.id).toBe('call')
    return { questions, response, result: response.result }
  }
  const call = (tool: string, answer: (asked: Message) => Answer) =>
    converse('tools/call', { name: tool }, answer)
  /** Calls a tool that must not be able to ask. */
  const refused = async (tool: string): Promise<string> => {
    const { status, headers, body } = await askLegacy('tools/call', { name: tool }, changes)
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(body.result.isError).toBe(true)
    return body.result.content[0].text
  }
  return { session, post, start, converse, call, refused }
}

const accept = (content: object) => () => ({ result: { action: 'accept', content } })
const textOf = (result: Message) => result.content[0].text

// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
describe('client/elicitation', () => {
  const requestedSchema = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 2 } },
    required: ['name'],
  }

  test.each<[string, LegacyVersion, object, object]>([
    ['a form', '2025-11-25', { form: {} }, { mode: 'form' }],
    ['a form, for a client that names no mode', '2025-11-25', {}, { mode: 'form' }],
    ['a form, which had no mode then', '2025-06-18', {}, {}],
  ])('is a request on the stream of the call: %s', async (_, version, elicitation, mode) => {
    const client = await open(version, { elicitation })
    const { questions, result } = await client.call('greet', accept({ name: 'Ada' }))
    expect(questions).toEqual([
      {
        jsonrpc: '2.0',
        id: expect.stringMatching(/./),
        method: 'elicitation/create',
        params: { ...mode, message: 'Your name?', requestedSchema },
      },
    ])
    expect(result).toEqual({ content: [{ type: 'text', text: 'Hello, Ada' }] })
  })

  test('a link MUST have the mode url, a message, an id and a valid URL', async () => {
    const client = await open('2025-11-25', { elicitation: { url: {} } })
    const { questions, result } = await client.call('opens', () => ({
      result: { action: 'accept' },
    }))
    expect(questions[0]).toMatchObject({
      method: 'elicitation/create',
      params: {
        mode: 'url',
        message: 'Please enter a key.',
        url: 'https://mcp.example.com/key',
        elicitationId: expect.stringMatching(/./),
      },
    })
    expect(textOf(result)).toBe('opened')
  })

  test.each<[string, LegacyVersion, object, string, RegExp]>([
    ['none declared', '2025-11-25', {}, 'greet', /elicitation/],
    ['only url', '2025-11-25', { elicitation: { url: {} } }, 'greet', /elicitation\.form/],
    ['only form', '2025-11-25', { elicitation: { form: {} } }, 'opens', /elicitation\.url/],
    ['no mode', '2025-11-25', { elicitation: {} }, 'opens', /elicitation\.url/],
    ['links came later', '2025-06-18', { elicitation: { url: {} } }, 'opens', /elicitation/],
    ['elicitation came later', '2025-03-26', { elicitation: {} }, 'greet', /elicitation/],
    ['elicitation came later', '2024-11-05', { elicitation: {} }, 'greet', /elicitation/],
  ])(
    'a mode that the client lacks MUST NOT be sent: %s, %s',
    async (_, version, capabilities, tool, sentence) => {
      expect(await (await open(version, capabilities)).refused(tool)).toMatch(sentence)
    },
  )

  test('nor is a client asked whose capabilities are unknown, as it has no session', async () => {
    const { body } = await askLegacy('tools/call', { name: 'greet' })
    expect(body.result.isError).toBe(true)
    expect(body.result).not.toHaveProperty('inputRequests')
  })

  test.each<[string, object]>([
    ['prompts/get', { name: 'plan' }],
    ['resources/read', { uri: 'test://note' }],
  ])('a prompt or a resource that asks is an error then: %s', async (method, params) => {
    const { session } = await open('2025-11-25', {})
    const { status, body } = await askLegacy(method, params, { session })
    expect(status).toBe(200)
    expect(body.error.message).toMatch(/elicitation/)
  })

  test.each(['decline', 'cancel'])('the user may %s', async (action) => {
    const client = await open('2025-11-25', { elicitation: {} })
    const { result } = await client.call('greet', () => ({ result: { action } }))
    expect(result.isError).toBe(true)
    const told = await client.call('told', () => ({ result: { action } }))
    expect(textOf(told.result)).toBe(action)
  })

  test('received data SHOULD be validated: an invalid answer is asked for again', async () => {
    const client = await open('2025-11-25', { elicitation: {} })
    const names = ['A', 'Ada']
    const { questions, result } = await client.call('greet', () =>
      accept({ name: names.shift() })(),
    )
    expect(questions).toHaveLength(2)
    expect(questions[1].params.message).toContain('Your name?')
    expect(textOf(result)).toBe('Hello, Ada')
  })

  test('a client may respond with an error', async () => {
    const client = await open('2025-11-25', { elicitation: {} })
    const error = { code: -32602, message: 'Not now.' }
    const { result } = await client.call('greet', () => ({ error }))
    expect(result.isError).toBe(true)
  })

  test('one question may wait for the answer to another', async () => {
    const client = await open('2025-11-25', { elicitation: {} })
    const { questions, result } = await client.call('rounds', ({ params }) =>
      accept({ name: params.message.slice(0, -1) })(),
    )
    expect(questions.map(({ params }) => params.message)).toEqual(['First?', 'Second?'])
    expect(textOf(result)).toBe('First and Second')
  })

  test.each<[LegacyVersion, object]>([
    [
      '2025-11-25',
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'The first' },
          { const: 'b', title: 'The second' },
        ],
      },
    ],
    ['2025-06-18', { type: 'string', enum: ['a', 'b'], enumNames: ['The first', 'The second'] }],
  ])('a choice with titles has the form of the revision: %s', async (version, field) => {
    const client = await open(version, { elicitation: {} })
    const { questions } = await client.call('choose', accept({ one: 'b' }))
    expect(questions[0].params.requestedSchema.properties.one).toEqual(field)
  })

  test('prompts and resources may ask as well', async () => {
    const client = await open('2025-11-25', { elicitation: {} })
    const answer = accept({ name: 'Ada' })
    const plan = await client.converse('prompts/get', { name: 'plan' }, answer)
    expect(plan.result.messages[0].content.text).toBe('A plan for Ada.')
    const note = await client.converse('resources/read', { uri: 'test://note' }, answer)
    expect(note.result.contents[0].text).toBe('A note to Ada.')
  })

  test('elicitation MUST be bound to the client: another session cannot answer', async () => {
    const client = await open('2025-11-25', { elicitation: {} })
    const other = await open('2025-11-25', { elicitation: {} })
    const { nextMessage } = await client.start('tools/call', { name: 'greet' })
    const { id } = await nextMessage()
    const { status } = await other.post(id, accept({ name: 'Eve' })())
    expect(status).toBeGreaterThanOrEqual(400)
    expect((await client.post(id, accept({ name: 'Ada' })())).status).toBe(202)
    expect(textOf((await nextMessage()).result)).toBe('Hello, Ada')
  })

  test('an answer to a question that was not asked gets an HTTP error', async () => {
    const client = await open('2025-11-25', { elicitation: {} })
    const { status } = await client.post('forged', accept({ name: 'Eve' })())
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
describe('client/sampling', () => {
  const message = { role: 'assistant', content: { type: 'text', text: 'Hello!' }, model: 'm-1' }
  const answer = () => ({ result: message })

  test.each(legacyVersions)('is a request on the stream of the call: %s', async (version) => {
    const client = await open(version, { sampling: {} })
    const { questions, result } = await client.call('write', answer)
    expect(questions).toEqual([
      {
        jsonrpc: '2.0',
        id: expect.stringMatching(/./),
        method: 'sampling/createMessage',
        params: { messages, maxTokens: 100 },
      },
    ])
    expect(textOf(result)).toBe('m-1: [{"type":"text","text":"Hello!"}]')
  })

  test('is not sent to a client without the capability', async () => {
    expect(await (await open('2025-11-25', {})).refused('write')).toMatch(/sampling/)
  })

  test.each<[LegacyVersion, object]>([
    ['2025-11-25', {}],
    ['2025-06-18', { tools: {} }],
  ])('MUST NOT have tools for a client without sampling.tools: %s', async (version, sampling) => {
    const client = await open(version, { sampling })
    expect(await client.refused('use_tools')).toMatch(/sampling/)
  })

  test.each(['2025-06-18', '2025-03-26', '2024-11-05'] as const)(
    'may include context: %s has no capability for it',
    async (version) => {
      const client = await open(version, { sampling: {} })
      const { questions, result } = await client.call('recall', answer)
      expect(questions[0].params.includeContext).toBe('thisServer')
      expect(result.isError).toBeUndefined()
    },
  )

  test('SHOULD NOT include context without sampling.context: 2025-11-25', async () => {
    const without = await open('2025-11-25', { sampling: {} })
    expect(await without.refused('recall')).toContain('sampling.context')
    const client = await open('2025-11-25', { sampling: { context: {} } })
    const { questions } = await client.call('recall', answer)
    expect(questions[0].params.includeContext).toBe('thisServer')
  })

  test('has tools for a client with sampling.tools', async () => {
    const client = await open('2025-11-25', { sampling: { tools: {} } })
    const { questions } = await client.call('use_tools', answer)
    expect(questions[0].params.tools).toEqual([{ name: 'look', inputSchema: { type: 'object' } }])
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
describe('client/roots', () => {
  test.each(legacyVersions)('roots/list is asked on the stream: %s', async (version) => {
    const client = await open(version, { roots: { listChanged: true } })
    const { questions, result } = await client.call('folders', () => ({
      result: { roots: [{ uri: 'file:///home/ada', name: 'home' }] },
    }))
    expect(questions).toEqual([
      { jsonrpc: '2.0', id: expect.stringMatching(/./), method: 'roots/list' },
    ])
    expect(textOf(result)).toBe('file:///home/ada')
  })

  test('is not asked of a client without the capability', async () => {
    expect(await (await open('2025-11-25', {})).refused('folders')).toMatch(/roots/)
  })
})

describe('basic/transports: responses of clients', () => {
  test('all questions of a round are sent before the first answer', async () => {
    const client = await open('2025-11-25', { elicitation: {}, sampling: {} })
    const { nextMessage } = await client.start('tools/call', { name: 'all' })
    const [first, second] = [await nextMessage(), await nextMessage()]
    expect(first.id).not.toBe(second.id)
    const content = { type: 'text', text: 'Hello!' }
    await client.post(second.id, { result: { role: 'assistant', content, model: 'm-1' } })
    await client.post(first.id, accept({ name: 'Ada' })())
    expect(textOf((await nextMessage()).result)).toBe('Ada, m-1')
  })

  // https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
  test('a question that is not waited for any more SHOULD be cancelled', async () => {
    const client = await open('2025-11-25', { elicitation: {}, sampling: {} })
    const { nextMessage } = await client.start('tools/call', { name: 'all' })
    const [first, second] = [await nextMessage(), await nextMessage()]
    await client.post(first.id, { error: { code: -1, message: 'No.' } })
    expect(await nextMessage()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: second.id },
    })
    expect((await nextMessage()).result.isError).toBe(true)
  })

  test('a batch of responses MUST get 202 in 2025-03-26', async () => {
    const version = '2025-03-26'
    const { start, session } = await open(version, { roots: {} })
    const { nextMessage } = await start('tools/call', { name: 'folders' })
    const { id } = await nextMessage()
    const batch = JSON.stringify([{ jsonrpc: '2.0', id, result: { roots: [] } }])
    const { status, text } = await send(toLegacyPost(url, batch, { version, session }))
    expect([status, text]).toEqual([202, ''])
    expect((await nextMessage()).id).toBe('call')
  })

  test('a call that asks is refused if its client does not accept a stream', async () => {
    const session = await initialize('2025-11-25', { elicitation: {} })
    const headers = { Accept: 'application/json' }
    const { status, body } = await askLegacy('tools/call', { name: 'greet' }, { session, headers })
    expect(body.result?.isError === true || status === 406).toBe(true)
  })
})
