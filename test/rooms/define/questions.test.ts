import { expect, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { carry } from '../../../src/define/question.ts'
import { form, link } from '../../../src/define/elicitation.ts'
import { roots, sample } from '../../../src/define/sampling.ts'
import type { SamplingMessage } from '../../../src/protocol/input-request.ts'

const pay = z.object({ pay: z.boolean() })
const answered = (answer: unknown) => ({ kind: 'answered', answer })
const invalid = { kind: 'invalid' }
const refused = { kind: 'invalid', why: expect.any(String) }

test('a form asks with its message and its printed schema', () => {
  expect(form('Pay for 3 items?', pay)).toMatchObject({
    request: {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Pay for 3 items?',
        requestedSchema: {
          type: 'object',
          properties: { pay: { type: 'boolean' } },
          required: ['pay'],
        },
      },
    },
    capability: 'form',
    unasked: 'ignore',
  })
})

test.each([
  ['an accepted form', { action: 'accept', content: { pay: true } }, answered({ pay: true })],
  ['a field too many', { action: 'accept', content: { pay: true, x: 1 } }, answered({ pay: true })],
  ['a declined form', { action: 'decline' }, { kind: 'declined', action: 'decline' }],
  ['a cancelled form', { action: 'cancel' }, { kind: 'declined', action: 'cancel' }],
  ['a wrong type', { action: 'accept', content: { pay: 'yes' } }, refused],
  ['a missing field', { action: 'accept', content: {} }, refused],
  ['no content', { action: 'accept' }, refused],
  ['another action', { action: 'agree', content: { pay: true } }, invalid],
  ['a number', 12345, invalid],
  ['null', null, invalid],
])('a form reads %s', async (_, response, read) => {
  expect(await form('Pay?', pay).read(response)).toEqual(read)
})

test.each([
  [
    { action: 'accept', content: { pay: true } },
    answered({ action: 'accept', content: { pay: true } }),
  ],
  [{ action: 'decline' }, answered({ action: 'decline' })],
  [{ action: 'cancel' }, answered({ action: 'cancel' })],
  [{ action: 'accept', content: { pay: 1 } }, refused],
])("a form with `declined: 'tell'` reads %j as %j", async (response, read) => {
  expect(await form('Pay?', pay, { declined: 'tell' }).read(response)).toEqual(read)
})

test('a form answers with what its schema makes of the content', async () => {
  const day = z.object({ day: z.iso.date().transform((text) => new Date(text)) })
  const response = { action: 'accept', content: { day: '2026-11-30' } }
  expect(await form('When?', day).read(response)).toEqual(answered({ day: new Date('2026-11-30') }))
})

test('a form of zod/mini is printed and checked', async () => {
  const schema = mini.toJSONSchema(mini.object({ pay: mini.boolean() }))
  const question = form('Pay?', schema)
  expect(question.request).toEqual(form('Pay?', pay).request)
  expect(await question.read({ action: 'accept', content: { pay: true } })).toEqual(
    answered({ pay: true }),
  )
  expect(await question.read({ action: 'accept', content: { pay: 1 } })).toEqual(refused)
})

test('a form without fields is answered by an acceptance without content', async () => {
  expect(await form('Go on?', z.object({})).read({ action: 'accept' })).toEqual(answered({}))
})

test('a form waits for a check that takes its time', async () => {
  const name = z.object({ name: z.string().refine(async (text) => text !== 'taken') })
  expect(await form('Name?', name).read({ action: 'accept', content: { name: 'free' } })).toEqual(
    answered({ name: 'free' }),
  )
  expect(await form('Name?', name).read({ action: 'accept', content: { name: 'taken' } })).toEqual(
    refused,
  )
})

test('a form takes unasked answers only where its author says so', () => {
  expect(form('Name?', pay, { unasked: 'accept' }).unasked).toBe('accept')
})

test('a form that the protocol does not allow is refused at its definition', () => {
  const nested = z.object({ address: z.object({ city: z.string() }) })
  expect(() => form('Where?', nested)).toThrow(/"address"/)
})

test('a link asks in URL mode', () => {
  expect(link('Connect your account', 'https://shop.example/connect?a=1')).toMatchObject({
    request: {
      method: 'elicitation/create',
      params: {
        mode: 'url',
        message: 'Connect your account',
        url: 'https://shop.example/connect?a=1',
      },
    },
    capability: 'link',
    unasked: 'ignore',
  })
})

test.each([
  ['consent', { action: 'accept' }, answered(undefined)],
  [
    'consent with content, which means nothing',
    { action: 'accept', content: 1 },
    answered(undefined),
  ],
  ['a refusal', { action: 'decline' }, { kind: 'declined', action: 'decline' }],
  ['anything else', { action: 'done' }, invalid],
])('a link reads %s', async (_, response, read) => {
  expect(await link('Go', 'https://a.example/').read(response)).toEqual(read)
})

test.each(['accept', 'decline', 'cancel'])(
  "a link with `declined: 'tell'` reads %s",
  async (action) => {
    const question = link('Go', 'https://a.example/', { declined: 'tell' })
    expect(await question.read({ action })).toEqual(answered({ action }))
  },
)

test.each([
  'https://a.example/',
  'http://localhost:8787/x',
  'http://127.0.0.1/',
  'http://[::1]:3000/',
  new URL('https://a.example/'),
])('a link may lead to %s', (url) => {
  expect(link('Go', url).request).toMatchObject({ params: { url: String(url) } })
})

test.each([
  ['http://a.example/', /Use https:/],
  ['http://localhost.a.example/', /Use https:/],
  ['javascript:alert(1)', /Use https:/],
  ['file:///etc/passwd', /Use https:/],
  ['/connect', /not a URL/],
  ['', /not a URL/],
  ['https://user:hunter2@a.example/', /user name or password/],
  ['https://user@a.example/', /user name or password/],
  ['https://:hunter2@a.example/', /user name or password/],
])('a link may not lead to %s', (url, why) => {
  expect(() => link('Go', url)).toThrow(why)
})

test('a link does not repeat the password that it refuses', () => {
  expect(() => link('Go', 'https://user:hunter2@a.example/')).toThrow(/^(?!.*hunter2)/)
})

const hello = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm' }
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
const use = { type: 'tool_use', id: 'u1', name: 'weather', input: { city: 'Paris' } } as const
const result = {
  type: 'tool_result',
  toolUseId: 'u1',
  content: [{ type: 'text', text: '18 degrees' }],
} as const

test.each([
  ['one block', hello, answered({ ...hello, content: [hello.content] })],
  [
    'several blocks and a stop reason',
    { ...hello, content: [hello.content, image], stopReason: 'endTurn' },
    answered({ ...hello, content: [hello.content, image], stopReason: 'endTurn' }),
  ],
  ['no model', { ...hello, model: undefined }, invalid],
  ['another role', { ...hello, role: 'system' }, invalid],
  ['no content', { role: 'assistant', model: 'm' }, invalid],
  ['text that is no text', { ...hello, content: { type: 'text', text: 1 } }, invalid],
  ['an image without a type', { ...hello, content: { type: 'image', data: 'AA==' } }, invalid],
  ['a tool use, as no tools were offered', { ...hello, content: use }, invalid],
  ['null', null, invalid],
])('a sample reads %s', async (_, response, read) => {
  const params = { messages: [], maxTokens: 100 }
  const question = sample(params)
  expect(question.request).toEqual({ method: 'sampling/createMessage', params })
  expect(await question.read(response)).toEqual(read)
})

const tools = [{ name: 'weather', inputSchema: { type: 'object' } }] as const

test.each([
  ['a use', use, use],
  ['a use with what the model caches', { ...use, _meta: { a: 1 } }, { ...use, _meta: { a: 1 } }],
  ['a result', { ...result, isError: true, other: 1 }, { ...result, isError: true }],
  [
    'a structured result',
    { ...result, structuredContent: null },
    { ...result, structuredContent: null },
  ],
  ['a use without an id', { ...use, id: undefined }, null],
  ['a use without a name', { ...use, name: 5 }, null],
  ['a use without input', { ...use, input: 'Paris' }, null],
  ['a result of nothing', { ...result, toolUseId: undefined }, null],
  ['a result without content', { ...result, content: 'text' }, null],
  ['a result with odd content', { ...result, content: [{ type: 'text' }] }, null],
])('a sample with tools reads %s', async (_, block, read) => {
  const question = sample({ messages: [], maxTokens: 1, tools })
  const response = { ...hello, content: [hello.content, block], stopReason: 'toolUse' }
  const content = [hello.content, read]
  expect(await question.read(response)).toEqual(
    read === null ? invalid : answered({ ...response, content }),
  )
})

test.each([
  [{}, []],
  [{ tools }, ['sampleTools']],
  [{ tools: [] }, ['sampleTools']],
  [{ toolChoice: { mode: 'none' } }, ['sampleTools']],
  [{ includeContext: 'none' }, []],
  [{ includeContext: 'thisServer' }, ['sampleContext']],
  [{ tools, includeContext: 'allServers' }, ['sampleTools', 'sampleContext']],
] as const)('a sample with %j needs %j', (options, needs) => {
  expect(sample({ messages: [], maxTokens: 1, ...options }).needs).toEqual(needs)
})

test('sample takes the results of tools after the message that asked for them', () => {
  const messages: readonly SamplingMessage[] = [
    { role: 'user', content: { type: 'text', text: 'Weather?' } },
    { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }, use] },
    { role: 'user', content: result },
  ]
  expect(() => sample({ messages, maxTokens: 1, tools })).not.toThrow()
})

test.each<[string, readonly SamplingMessage[], RegExp]>([
  [
    'a result beside text',
    [
      { role: 'assistant', content: use },
      { role: 'user', content: [{ type: 'text', text: 'Here:' }, result] },
    ],
    /tool results beside other content/,
  ],
  ['a result by the assistant', [{ role: 'assistant', content: result }], /beside other content/],
  [
    'a result of nothing',
    [{ role: 'user', content: result }],
    /the results u1 after a message with no tool uses/,
  ],
  [
    'a use without a result',
    [{ role: 'assistant', content: use }],
    /the tool uses u1 without results/,
  ],
  [
    'a use before text',
    [
      { role: 'assistant', content: use },
      { role: 'user', content: { type: 'text', text: 'And?' } },
    ],
    /no results after a message with the tool uses u1/,
  ],
  [
    'one result of two',
    [
      { role: 'assistant', content: [use, { ...use, id: 'u2' }] },
      { role: 'user', content: [result] },
    ],
    /the results u1 after a message with the tool uses u1, u2/,
  ],
])('sample refuses %s', (_, messages, why) => {
  expect(() => sample({ messages, maxTokens: 1, tools })).toThrow(why)
})

test.each([
  [
    'folders',
    { roots: [{ uri: 'file:///home/a', name: 'A', _meta: {} }, { uri: 'file:///b' }] },
    answered([{ uri: 'file:///home/a', name: 'A' }, { uri: 'file:///b' }]),
  ],
  ['no folders', { roots: [] }, answered([])],
  ['a web address', { roots: [{ uri: 'https://a.example/' }] }, invalid],
  ['a root without a URI', { roots: [{ name: 'A' }] }, invalid],
  ['no list', { roots: { uri: 'file:///b' } }, invalid],
  ['null', null, invalid],
])('roots reads %s', async (_, response, read) => {
  expect(roots().request).toEqual({ method: 'roots/list' })
  expect(await roots().read(response)).toEqual(read)
})

test('a carried value is its own answer and is not sent to the client', async () => {
  const question = carry({ total: 10 })
  expect(question).toMatchObject({ request: null, carried: { total: 10 } })
  expect(await question.read({ total: 9 })).toEqual(answered({ total: 9 }))
})

test.each([null, false, 0, '', [], [[1]], { a: { b: [1, null] } }, Object.create(null)])(
  'a value may be carried that JSON brings back: %j',
  (value) => {
    expect(carry(value).carried).toEqual(value)
  },
)

const loop: Record<string, unknown> = {}
loop['self'] = loop

test.each([
  ['nothing', undefined],
  ['a function', () => 1],
  ['a symbol', Symbol('price')],
  ['a bigint', 10n],
  ['a number without end', Infinity],
  ['a Date, which would come back as text', new Date(0)],
  ['a Map, which would come back empty', new Map([['a', 1]])],
  ['a function inside an array', [() => 1]],
  ['NaN inside an object', { price: { amount: NaN } }],
  ['what holds itself', loop],
])('what JSON would lose or change is not carried: %s', (_, value) => {
  // as an author without types would call it
  expect(() => Reflect.apply(carry, null, [value])).toThrow(TypeError)
})
