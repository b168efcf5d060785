import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineHandle, definePrompt, defineResource, defineTool, type Caller } from 'helve'
import { custom } from '../../../src/auth/custom.ts'
import { createServer } from '../../spec/server.ts'

const description = 'An entry of this test.'
let beta = false
beforeEach(() => {
  beta = false
})
afterEach(() => vi.restoreAllMocks())

const visible = (): boolean => beta
const { ask } = createServer(
  {},
  {
    plain: defineTool({ description, run: () => 'ran' }),
    beta: defineTool({ description, visible, run: () => 'ran' }),
    notes: defineResource({
      uri: 'test://notes',
      mime: 'text/plain',
      visible,
      read: () => 'notes',
    }),
    orders: defineResource({
      uri: 'test://orders/{id}',
      mime: 'text/plain',
      visible,
      list: () => ({ resources: [{ uri: 'test://orders/1', name: 'one' }] }),
      complete: { id: () => ['1'] },
      read: () => 'order',
    }),
    greet: definePrompt({ description, visible: async () => beta, messages: () => 'hello' }),
  },
)

const readNotes = () =>
  ask('resources/read', { uri: 'test://notes' }, { headers: { 'Mcp-Name': 'test://notes' } })
const completeId = () =>
  ask('completion/complete', {
    ref: { type: 'ref/resource', uri: 'test://orders/{id}' },
    argument: { name: 'id', value: '' },
  })

test('a `visible` that fails hides its entry, and the lists without it are not cached', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  let isDown = true
  const flag = (): boolean => {
    if (isDown) throw new Error('KV is down')
    return true
  }
  const read = () => 'text'
  const server = createServer(
    { audit: false },
    {
      hidden: defineTool({ description, visible: flag, run: () => 'ran' }),
      notes: defineResource({ uri: 'test://notes', mime: 'text/plain', visible: flag, read }),
      orders: defineResource({
        uri: 'test://orders/{id}',
        mime: 'text/plain',
        list: () => ({ resources: [] }),
        read,
      }),
      greet: definePrompt({ description, visible: flag, messages: () => 'hello' }),
    },
  )
  for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
    isDown = true
    // oxlint-disable-next-line no-await-in-loop
    const without = await server.ask(method)
    isDown = false
    // oxlint-disable-next-line no-await-in-loop
    const whole = await server.ask(method)
    const [name = ''] = method.split('/')
    expect(without.body.result[name]).toEqual([])
    expect(without.body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
    expect(without.headers.get('Cache-Control')).toBe('no-store')
    expect(whole.body.result[name]).toHaveLength(1)
    expect(whole.body.result.ttlMs).toBe(300_000)
  }
  isDown = true
  expect((await server.ask('tools/call', { name: 'hidden' })).body.error.code).toBe(-32602)
  expect(log).toHaveBeenCalledTimes(4)
})

describe('what is not visible', () => {
  test('is in no list, and comes into it when it is', async () => {
    const lists = async () => ({
      tools: (await ask('tools/list')).body.result.tools.length,
      resources: (await ask('resources/list')).body.result.resources.length,
      templates: (await ask('resources/templates/list')).body.result.resourceTemplates.length,
      prompts: (await ask('prompts/list')).body.result.prompts.length,
    })
    expect(await lists()).toEqual({ tools: 1, resources: 0, templates: 0, prompts: 0 })
    beta = true
    expect(await lists()).toEqual({ tools: 2, resources: 2, templates: 1, prompts: 1 })
    beta = false
    expect(await lists()).toEqual({ tools: 1, resources: 0, templates: 0, prompts: 0 })
  })

  test('cannot be found by name either', async () => {
    const codes = async () =>
      Promise.all(
        [
          ask('tools/call', { name: 'beta' }),
          readNotes(),
          ask('prompts/get', { name: 'greet' }),
          completeId(),
        ].map(async (reply) => (await reply).body.error?.code),
      )
    expect(await codes()).toEqual([-32602, -32602, -32602, -32602])
    beta = true
    expect(await codes()).toEqual([undefined, undefined, undefined, undefined])
  })

  test.each([
    ['tools/call', 'plan', { nearest: 'plain' }],
    ['tools/call', 'Plain', { nearest: 'plain' }],
    ['tools/call', 'bet4', undefined],
    ['tools/call', 'beta', undefined],
    ['tools/call', 'nothing', undefined],
    ['tools/call', 'p'.repeat(10_000), undefined],
    ['prompts/get', 'greets', undefined],
  ])('is not named to a client that guesses: %s of %s', async (method, name, data) => {
    expect((await ask(method, { name })).body.error.data).toEqual(data)
  })

  test('has the same reply as an unknown name', async () => {
    const hidden = await ask('tools/call', { name: 'beta' })
    const unknown = await ask('tools/call', { name: 'bet4' })
    expect(hidden.text.replace('beta', 'bet4')).toBe(unknown.text)
  })
})

test.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
  '%s is private to each caller, with an entry that may be hidden',
  async (method) => {
    const { body, headers } = await ask(method)
    expect(body.result.cacheScope).toBe('private')
    expect(headers.get('Cache-Control')).toBe('private, max-age=300')
  },
)

test('a flag that cannot be read hides its entry, and is logged', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = createServer(
    {},
    {
      plain: defineTool({ description, run: () => 'ran' }),
      flagged: defineTool({
        description,
        visible: () => Promise.reject(new Error('flags are down')),
        run: () => 'ran',
      }),
    },
  )
  expect((await broken.ask('tools/list')).body.result.tools).toHaveLength(1)
  expect(log.mock.calls.join()).toContain('flags are down')
})

test.each([
  ['the text "off"', 'off', 'returned a value of type string'],
  ['an object', {}, 'returned a value of type object'],
  ['a number', 1, 'returned a value of type number'],
  ['nothing', undefined, 'returned nothing'],
])('a flag that is %s hides its entry, and is logged', async (_, flag, sentence) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const flagged = defineTool({ description, run: () => 'ran' })
  for (const returned of [flag, Promise.resolve(flag)]) {
    const definition = Object.assign({}, flagged.definition, { visible: () => returned })
    const { ask } = createServer({}, { flagged: { ...flagged, definition } })
    // oxlint-disable-next-line no-await-in-loop -- one server after another
    expect((await ask('tools/list')).body.result.tools).toEqual([])
    // oxlint-disable-next-line no-await-in-loop
    expect((await ask('tools/call', { name: 'flagged' })).body.error.code).toBe(-32602)
    expect(log.mock.calls.join()).toContain(sentence)
  }
})

test('a flag that takes too long hides its entry, and does not delay the request for long', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const visible = (): Promise<boolean> => new Promise(() => {})
  const slow = createServer({}, { slow: defineTool({ description, visible, run: () => 'ran' }) })
  const headers = { Accept: 'application/json' }
  expect((await slow.ask('tools/list', {}, { headers })).body.result.tools).toEqual([])
}, 10_000)

test('gets the caller and the env', async () => {
  const seen = vi.fn<(viewer: { caller: Caller | null; env: object }) => boolean>(() => true)
  const server = createServer(
    {},
    { flagged: defineTool({ description, visible: seen, run: () => 'ran' }) },
  )
  await server.ask('tools/list')
  expect(seen).toHaveBeenCalledWith({
    caller: null,
    env: expect.objectContaining({ WEATHER_API: expect.any(String) }),
  })
})

test('what is concealed reads like what is not there, for callers without its scopes', async () => {
  const pay = defineTool({ description, scopes: ['pay'], conceal: true, run: () => 'paid' })
  const auth = custom(() => ({ subject: 'ann', scopes: ['read'] }))
  const { ask } = createServer({ auth }, { pay })
  const { status, body } = await ask('tools/call', { name: 'pay' })
  const absent = await ask('tools/call', { name: 'gone' })
  expect([status, absent.status]).toEqual([200, 200])
  expect(body.error).toEqual({
    ...absent.body.error,
    message: absent.body.error.message.replace('gone', 'pay'),
  })
})

test('a concealed tool is not named as the one that creates a handle', async () => {
  const basket = defineHandle({
    name: 'basket',
    prefix: 'bsk',
    idle: '1h',
    state: z.object({}),
    start: () => ({}),
    verbs: {},
  })
  const show = defineTool({ description, uses: { basket }, run: () => 'shown' })
  const sentenceOf = async (conceal: boolean): Promise<string> => {
    const create = defineTool({ description, conceal, run: () => 'created' })
    const { ask } = createServer({}, { basket, show, create_basket: create })
    return (await ask('tools/call', { name: 'show' })).text
  }
  expect(await sentenceOf(false)).toContain('create_basket')
  expect(await sentenceOf(true)).not.toContain('create_basket')
})

test('an entry needs all of its scopes, not one of them', async () => {
  const pay = defineTool({ description, scopes: ['read', 'pay'], run: () => 'paid' })
  const call = (scopes: readonly string[]) => {
    const server = createServer({ auth: custom(() => ({ subject: 'ann', scopes })) }, { pay })
    return server.ask('tools/call', { name: 'pay' })
  }
  const lacking = await Promise.all([['read'], ['pay'], []].map(call))
  expect(lacking.map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await call(['pay', 'read'])).body.result.content).toEqual([
    { type: 'text', text: 'paid' },
  ])
})
