import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineTool, form, link, roots, sample } from 'helve'
import { createClient, type AskedInput, type InputAnswers } from '../../../src/client/client.ts'
import { createServer } from '../../spec/server.ts'
import { createScripted, toResult } from './scripted-server.ts'

const order = defineTool({
  description: 'Orders.',
  ask: () => ({
    confirm: form('Pay?', z.object({ pay: z.boolean() })),
    page: link('Sign the contract.', 'https://example.com/sign'),
    words: sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Thank.' } }],
      maxTokens: 9,
    }),
    folders: roots(),
  }),
  run: ({ answers }) =>
    JSON.stringify({
      pay: answers.confirm.pay,
      words: answers.words.content,
      folders: answers.folders.map(({ uri }) => uri),
    }),
})

const complete = {
  confirm: { pay: true },
  page: 'accept',
  words: 'Thanks!',
  folders: ['file:///work'],
}

function createShop(answers?: InputAnswers) {
  const { fetch } = createServer({}, { order })
  const settled = answers === undefined ? {} : { answers }
  return createClient({ url: 'https://mcp.example.com/mcp', fetch, ...settled })
}

test.each([
  ['a record', complete],
  ['a function', ({ key }: AskedInput) => complete[key === 'page' ? 'page' : toKey(key)]],
  ['a record of functions', { ...complete, words: async () => 'Thanks!' }],
])('all kinds of questions are answered by %s', async (_, answers) => {
  const { content } = await createShop(answers).callTool('order')
  expect(content).toMatchObject([{ type: 'text' }])
  expect(JSON.stringify(content)).toContain(String.raw`\"pay\":true`)
  expect(JSON.stringify(content)).toContain('Thanks!')
  expect(JSON.stringify(content)).toContain('file:///work')
})

function toKey(key: string): keyof typeof complete {
  return key === 'confirm' || key === 'words' ? key : 'folders'
}

test('a function receives what is asked, parsed', async () => {
  const asked: AskedInput[] = []
  const client = createShop((one) => {
    asked.push(one)
    return complete[one.key === 'page' ? 'page' : toKey(one.key)]
  })
  await client.callTool('order')
  expect(asked).toMatchObject([
    { kind: 'form', key: 'confirm', message: 'Pay?', schema: { required: ['pay'] } },
    { kind: 'url', key: 'page', url: 'https://example.com/sign' },
    { kind: 'sampling', key: 'words', params: { maxTokens: 9 } },
    { kind: 'roots', key: 'folders' },
  ])
})

test('a question without an answer is an error that names it', async () => {
  const { confirm: _, ...others } = complete
  await expect(createShop(others).callTool('order')).rejects.toMatchObject({
    reason: 'unanswered',
    message: 'The server asks "Pay?" (`confirm`), and `answers` has no answer to it.',
    data: { kind: 'form', key: 'confirm' },
  })
})

test.each([
  ['confirm', 'yes', "must be an object with the values of the form, or 'decline'"],
  ['page', { opened: true }, "must be 'accept', 'decline' or 'cancel'."],
  ['words', { text: 'Thanks!' }, 'must be the text of the model, or a result'],
  ['folders', ['https://example.com'], 'must be a list of `file:` URIs.'],
  ['folders', 'file:///work', 'must be a list of `file:` URIs.'],
])('an answer to another kind of question is refused: %s', async (key, answer, sentence) => {
  const answers = { ...complete, [key]: answer }
  await expect(createShop(answers).callTool('order')).rejects.toThrow(
    `The answer to \`${key}\` ${sentence}`,
  )
})

test('a question that is declined ends the call of a server that takes it so', async () => {
  const result = await createShop({ ...complete, confirm: 'decline' }).callTool('order')
  expect(result.isError).toBe(true)
})

test('without answers the server is told that nobody can be asked', async () => {
  await expect(createShop().callTool('order')).rejects.toMatchObject({
    code: -32021,
    status: 400,
    data: { requiredCapabilities: { elicitation: {} } },
  })
})

test('the answers of a call replace those of the client', async () => {
  const options = { answers: complete }
  expect((await createShop({}).callTool('order', {}, options)).isError).toBeUndefined()
  // and say that somebody can be asked
  expect((await createShop().callTool('order', {}, options)).isError).toBeUndefined()
})

const question = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
}

test('a round repeats the request with the answers and the state of that round alone', async () => {
  const rounds = [
    { inputRequests: { a: question }, requestState: 'one' },
    { inputRequests: { a: question, b: question } },
    { requestState: 'three' },
  ]
  const { client, seen } = createScripted(
    (one, count) =>
      toResult(one, {
        messages: [],
        ...(rounds[count - 1] && { resultType: 'input_required' }),
        ...rounds[count - 1],
      }),
    { answers: () => ({}) },
  )
  await client.getPrompt('plan', { dish: 'ramen' })
  const accepted = { action: 'accept', content: {} }
  expect(
    seen.map(
      ({
        body: {
          params: { _meta, ...params },
        },
      }) => params,
    ),
  ).toEqual([
    { name: 'plan', arguments: { dish: 'ramen' } },
    {
      name: 'plan',
      arguments: { dish: 'ramen' },
      inputResponses: { a: accepted },
      requestState: 'one',
    },
    { name: 'plan', arguments: { dish: 'ramen' }, inputResponses: { a: accepted, b: accepted } },
    { name: 'plan', arguments: { dish: 'ramen' }, requestState: 'three' },
  ])
  expect(new Set(seen.map(({ body }) => body.id)).size).toBe(4)
})

test('a server that asks for ever is left', async () => {
  const { client, seen } = createScripted(
    (one) => toResult(one, { resultType: 'input_required', inputRequests: { a: question } }),
    { answers: { a: {} } },
  )
  await expect(client.readResource('a:b')).rejects.toThrow('The server asked 32 times.')
  expect(seen).toHaveLength(32)
})

test.each([
  ['nothing', {}, 'The server asks for input, but not for which.'],
  ['an unknown method', { inputRequests: { a: { method: 'x/y' } } }, '`a.method` is missing'],
  ['a key of objects', { inputRequests: { constructor: question } }, 'has no answer to it'],
  [
    'a form without fields',
    { inputRequests: { a: { ...question, params: { message: 'x' } } } },
    '`requestedSchema`',
  ],
  [
    'no URL',
    { inputRequests: { a: { ...question, params: { mode: 'url', message: 'x', url: 'x' } } } },
    '`url`',
  ],
  [
    'an unknown mode',
    { inputRequests: { a: { ...question, params: { ...question.params, mode: 'x' } } } },
    '`mode`',
  ],
  ['a state that is no text', { requestState: 1 }, '`requestState`'],
])('a question with %s is an error', async (_, members, sentence) => {
  const { client } = createScripted(
    (one) => toResult(one, { resultType: 'input_required', ...members }),
    { answers: { a: {} } },
  )
  await expect(client.readResource('a:b')).rejects.toThrow(sentence)
})

test('a call that is cancelled while a person is asked ends', async () => {
  const controller = new AbortController()
  const client = createShop(() => {
    queueMicrotask(() => controller.abort(new Error('Left.')))
    return new Promise(() => {})
  })
  await expect(client.callTool('order', {}, { signal: controller.signal })).rejects.toThrow('Left.')
})
