import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import * as z from 'zod'
import type { Content } from '../../../src/protocol/content.ts'
import { form } from '../../../src/define/elicitation.ts'
import {
  ToolError,
  audio,
  embed,
  image,
  reply,
  resourceLink,
  text,
} from '../../../src/define/reply.ts'
import { type Tool, type ToolDefinition, defineTool } from '../../../src/define/tool.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answer, createCall, createSettings, membersOf, replyTo, toLogText } from './test-call.ts'

const description = 'A tool of this test.'

async function call(
  tool: Tool,
  input: JsonObject = {},
  env: object = {},
  maxResultBytes = 100_000,
) {
  const settings = createSettings({ tool }, { maxResultBytes })
  const params = { name: 'tool', arguments: input }
  return membersOf(await answer(createCall(settings, 'tools/call', params, { env })))
}

let log: MockInstance<typeof console.error>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

const logged = (): string => toLogText(log.mock.calls)

const circular: Record<string, unknown> = {}
circular['next'] = [circular]

const deep: unknown = JSON.parse('['.repeat(9_999) + ']'.repeat(9_999))

describe('a value', () => {
  test.each([{ n: 1 }, [], [1, 'two', null], 'text', '', 0, -1.5, true, false, null])(
    '%j comes as structured content and as its own JSON text',
    async (value) => {
      const tool = defineTool({ description, output: z.json(), run: () => value })
      expect(await call(tool)).toEqual({
        content: [{ type: 'text', text: JSON.stringify(value) }],
        structuredContent: value,
      })
    },
  )

  test('is converted by the output schema', async () => {
    const output = z.object({ n: z.number().default(3) })
    const tool = defineTool({ description, output, run: () => JSON.parse('{"extra":1}') })
    expect((await call(tool)).structuredContent).toEqual({ n: 3 })
  })

  test('keeps its JSON copy beside images and links, and gives it up for text', async () => {
    const picture = image(new Uint8Array([1, 2, 3]), 'image/png', { audience: ['user'] })
    const link = resourceLink({ uri: 'shop://a', name: 'a' })
    const output = z.object({ n: z.number() })
    const beside = defineTool({ description, output, run: () => reply({ n: 1 }, picture, link) })
    expect((await call(beside)).content).toEqual([
      { type: 'text', text: '{"n":1}' },
      { type: 'image', data: 'AQID', mimeType: 'image/png', annotations: { audience: ['user'] } },
      { type: 'resource_link', uri: 'shop://a', name: 'a' },
    ])
    const instead = defineTool({ description, output, run: () => reply({ n: 1 }, 'One.') })
    expect(await call(instead)).toEqual({
      content: [{ type: 'text', text: 'One.' }],
      structuredContent: { n: 1 },
    })
  })

  test('that does not match its output schema is logged in full and not sent', async () => {
    const output = z.object({ password: z.number() })
    const tool = defineTool({
      description,
      output,
      run: () => JSON.parse('{"password":"hunter2"}'),
    })
    const result = await call(tool)
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toBeUndefined()
    expect(JSON.stringify(result)).not.toContain('password')
    expect(logged()).toContain('password')
  })

  test.each([
    ['nothing', z.unknown(), () => undefined],
    ['a bigint', z.unknown(), () => 1n],
    ['NaN', { type: 'object', properties: { n: { type: 'number' } } }, () => ({ n: Number.NaN })],
    ['NaN where anything goes', z.unknown(), () => ({ n: Number.NaN })],
    ['an infinite number', z.unknown(), () => [Infinity]],
    [
      'a Date for an object',
      { properties: { at: { type: 'object' } } },
      () => ({ at: new Date(0) }),
    ],
    [
      'a hole in a list',
      z.object({ list: z.array(z.string().optional()) }),
      () => ({ list: ['a', undefined] }),
    ],
    ['a function', z.unknown(), () => ({ call: () => 1 })],
    ['a Map', z.unknown(), () => new Map([['a', 1]])],
    ['a Set, for a JSON Schema', { type: 'object' }, () => ({ tags: new Set(['a']) })],
    ['bytes', z.any(), () => new Uint8Array(3)],
    ['a value that contains itself', z.unknown(), () => circular],
    ['a value that contains itself, for a recursive schema', z.json(), () => circular],
    ['a value that contains itself, for a JSON Schema', { type: 'object' }, () => circular],
    ['ten thousand levels', z.unknown(), () => JSON.parse('['.repeat(9_999) + ']'.repeat(9_999))],
    ['ten thousand levels of a recursive schema', z.json(), () => deep],
    ['ten thousand levels for a JSON Schema', { type: 'array' }, () => deep],
  ])('that JSON cannot represent (%s) is a fault', async (_, output, run) => {
    expect((await call(defineTool({ description, output, run }))).isError).toBe(true)
    expect(log).toHaveBeenCalledOnce()
    expect(logged()).not.toContain('call stack')
  })

  test('that JSON cannot represent is named in the log, with what to do', async () => {
    const run = (): unknown => ({ orders: [{ lines: new Map([['a', 1]]) }] })
    await call(defineTool({ description, output: z.unknown(), run }))
    expect(logged()).toContain(
      'tool returned a value that JSON cannot represent: the value.orders[0].lines is a Map. ' +
        'Use Object.fromEntries(map) or [...map].',
    )
  })
})

/** Content as code without types returns it. */
function parse(json: string): Content {
  return JSON.parse(json)
}

describe('content without an output schema', () => {
  const blocks = [
    text('t', { priority: 0.5 }),
    image('AQID', 'image/png'),
    audio(new Uint8Array([255]), 'audio/wav'),
    resourceLink({ uri: 'shop://a', name: 'a', mimeType: 'text/plain' }),
    embed(
      { uri: 'shop://b', mimeType: 'text/plain', text: 'b' },
      { lastModified: '2026-01-01T00:00:00Z' },
    ),
    embed({ uri: 'shop://c', blob: new Uint8Array([0]) }),
  ]

  test('is a string, a block or blocks of every type', async () => {
    expect(await call(defineTool({ description, run: () => 'hi' }))).toEqual({
      content: [{ type: 'text', text: 'hi' }],
    })
    expect((await call(defineTool({ description, run: () => text('t') }))).content).toHaveLength(1)
    expect((await call(defineTool({ description, run: () => blocks }))).content).toEqual([
      { type: 'text', text: 't', annotations: { priority: 0.5 } },
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
      { type: 'audio', data: '/w==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'shop://a', name: 'a', mimeType: 'text/plain' },
      {
        type: 'resource',
        resource: { uri: 'shop://b', mimeType: 'text/plain', text: 'b' },
        annotations: { lastModified: '2026-01-01T00:00:00Z' },
      },
      { type: 'resource', resource: { uri: 'shop://c', blob: 'AA==' } },
    ])
  })

  test('of a database has members that are null, which are left out', async () => {
    const row = { ...blocks[3], title: null, size: null, annotations: null }
    const tool = defineTool({ description, run: () => JSON.parse(JSON.stringify([row])) })
    expect((await call(tool)).content).toEqual([blocks[3]])
    const output = z.object({ n: z.null() })
    const beside = defineTool({
      description,
      output,
      run: () => reply({ n: null }, JSON.parse(JSON.stringify(row))),
    })
    // the value is the author's own, and is sent as it is
    expect(await call(beside)).toEqual({
      content: [{ type: 'text', text: '{"n":null}' }, blocks[3]],
      structuredContent: { n: null },
    })
  })

  test('that clients would refuse is a fault, and the log names the block', async () => {
    const run = () => parse('[{"type":"text","text":"a"},{"type":"text","text":5}]')
    const result = await call(defineTool({ description, run }))
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result)).not.toContain('content[1]')
    expect(logged()).toContain('`content[1].text` is 5. It must be text.')
    const beside = () => parse('{"type":"image","data":"a.png","mimeType":"image/png"}')
    const output = z.object({})
    await call(defineTool({ description, output, run: () => reply({}, beside()) }))
    expect(logged()).toContain('`content[0].data` is "a.png", which is not Base64.')
  })

  test('that is given a URL for an image is a fault where it is created', () => {
    expect(() => image('https://a.example/b.png', 'image/png')).toThrow(/Fetch the URL/)
    expect(() => audio('b.wav', 'audio/wav')).toThrow('is not Base64')
    expect(() => embed({ uri: 'a:b', blob: 'b.wav' })).toThrow('is not Base64')
    expect(image('data:image/png;base64,AQID', 'image/png')).toEqual(image('AQID', 'image/png'))
    expect(image(new Uint8Array([1, 2, 3]).buffer, 'image/png').data).toBe('AQID')
  })

  test('may not be anything else, even in code without types', async () => {
    const tool = defineTool({ description, run: () => JSON.parse('{"n":1}') })
    expect((await call(tool)).isError).toBe(true)
    expect(logged()).toContain('has no output schema')
  })
})

describe('arguments', () => {
  const input = z.object({ city: z.string().min(1), days: z.number().int().max(7).default(3) })
  const tool = defineTool({ description, input, run: ({ input }) => `${input.city} ${input.days}` })

  test('reach the tool as the schema converts them', async () => {
    expect((await call(tool, { city: 'Ulm' })).content[0].text).toBe('Ulm 3')
  })

  test('that fail the schema come back with each field and why, and nothing runs', async () => {
    const result = await call(tool, { city: 5, days: 9 })
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(/^tool was not run\. .*city.*days/s)
    expect(log).not.toHaveBeenCalled()
  })

  test('are refused if the tool has none', async () => {
    const none = defineTool({ description, run: () => 'ran' })
    expect((await call(none, { x: 1 })).isError).toBe(true)
    expect((await call(none)).content[0].text).toBe('ran')
  })
})

/** A check that never ends. */
const never = (): Promise<boolean> => new Promise(() => {})

/** What query builders return: awaited like a promise, and none. The compiler would not let it. */
// oxlint-disable-next-line unicorn/no-thenable
const later = (): string => Object.assign(JSON.parse('{}'), { then: () => {} })

describe('a tool that fails', () => {
  test('sends the message of its ToolError', async () => {
    const run = (): string => {
      throw new ToolError('No such city. Check the spelling.')
    }
    expect(await call(defineTool({ description, run }))).toEqual({
      content: [{ type: 'text', text: 'No such city. Check the spelling.' }],
      isError: true,
    })
    expect(log).not.toHaveBeenCalled()
  })

  test.each([
    ['an Error', new Error('connect db.internal password=hunter2')],
    ['a string', 'password=hunter2'],
    ['nothing', undefined],
  ])('with %s sends only an error id, under which the log has the rest', async (_, thrown) => {
    const tool = defineTool({ description, run: () => Promise.reject(thrown) })
    const { content, isError } = await call(tool)
    expect(isError).toBe(true)
    expect(content[0].text).not.toContain('hunter2')
    const [errorId = 'none'] = /[0-9a-f-]{36}/.exec(content[0].text) ?? []
    expect(logged()).toContain(errorId)
    expect(logged()).toContain(String(thrown instanceof Error ? thrown.message : thrown))
  })

  test('by taking too long is stopped and says so', async () => {
    const run = (): Promise<string> => new Promise(() => {})
    const { content, isError } = await call(defineTool({ description, timeout: '20ms', run }))
    expect(isError).toBe(true)
    expect(content[0].text).toContain('did not finish within 20ms')
  })

  test.each([
    [
      'arguments',
      defineTool({
        description,
        timeout: '20ms',
        input: z.object({}).refine(never),
        run: () => 'x',
      }),
    ],
    [
      'output',
      defineTool({
        description,
        timeout: '20ms',
        output: z.string().refine(never),
        run: () => 'x',
      }),
    ],
    ['value', defineTool({ description, timeout: '20ms', run: () => later() })],
  ])('is stopped too when its %s take too long', async (_, tool) => {
    expect((await call(tool)).content[0].text).toContain('did not finish within 20ms')
  })

  test('with a message that is too long is cut, with the sizes', async () => {
    const tool = defineTool({ description, output: z.string(), run: () => 'x'.repeat(5_000) })
    expect((await call(tool, {}, {}, 4_000)).content[0].text).toContain('at most 4000')
    const long = defineTool({ description, run: () => 'x'.repeat(5_000) })
    expect((await call(long, {}, {}, 4_000)).content[0].text).toContain('[Cut here:')
    const run = (): string => {
      throw new ToolError('x'.repeat(50_000))
    }
    const failing = await call(defineTool({ description, run }), {}, {}, 4_000)
    expect(failing.content[0].text).toContain('[Cut here:')
    expect(failing.isError).toBe(true)
  })
})

describe('a limit', () => {
  // the platform has no way to make a limiter by hand; the binding itself is tried against wrangler dev
  const limiter = (success: boolean) => ({ limit: async () => ({ success }) })
  const free = defineTool({ description, run: () => 'ran' })
  // an untyped author's definition: the compiler knows no binding called CALLS here
  const definition = Object.assign({}, free.definition, JSON.parse('{"limit":"CALLS"}'))
  const limited: Tool = { ...free, definition }

  test('that is used up tells the model to wait, and nothing runs', async () => {
    const { content, isError } = await call(limited, {}, { CALLS: limiter(false) })
    expect(isError).toBe(true)
    expect(content[0].text).toContain('tool was not run: it was called too often. Try again in')
  })

  test('without its binding is a fault of the server', async () => {
    expect((await call(limited)).isError).toBe(true)
    expect(logged()).toContain('CALLS')
  })
})

test('a promise that is a function, as those of RPC are, is waited for', async () => {
  const promise = Promise.resolve('from afar')
  // oxlint-disable-next-line unicorn/no-thenable
  const remote = Object.assign(() => {}, { then: promise.then.bind(promise) })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const run = () => remote as unknown as Promise<string>
  expect(await call(defineTool({ description, run }))).toEqual({
    content: [{ type: 'text', text: 'from afar' }],
  })
})

describe('a `sanitize` option is for the results of its tool alone', () => {
  const secret = 'hunter2-Xq8LmZ4v'
  const dirty = `hid\u202Eden ${secret}`

  test.each<[string, ToolDefinition['sanitize']]>([
    ['false', false],
    ['a function', (text: string) => text],
  ])('%s: progress, log messages and questions are cleaned', async (_what, sanitize) => {
    const say = defineTool({
      description,
      ...(sanitize !== undefined && { sanitize }),
      async run({ progress, log }) {
        progress(1, 2, dirty)
        log.info(dirty, { key: dirty })
        await scheduler.wait(1)
        return 'said'
      },
    })
    const ask = defineTool({
      description,
      ...(sanitize !== undefined && { sanitize }),
      ask: () => ({ sure: form(dirty, z.object({ sure: z.boolean() })) }),
      run: () => 'asked',
    })
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const settings = createSettings({ say, ask })
    const changes = {
      env: { API_KEY: secret, STATE_KEY: 'k'.repeat(43) },
      streams: true,
      envelope: {
        progressToken: 1,
        logLevel: 'info' as const,
        clientCapabilities: { elicitation: { form: {} } },
      },
    }
    for (const name of ['say', 'ask']) {
      // oxlint-disable-next-line no-await-in-loop
      const reply = await replyTo(createCall(settings, 'tools/call', { name }, changes))
      expect(reply).toContain('hidden [secret]')
      expect(reply).not.toContain('hunter2')
      expect(reply).not.toContain('\u202E')
    }
  })

  test.each<[string, ToolDefinition['sanitize']]>([
    ['false', false],
    [
      'a function that throws',
      () => {
        throw new Error('not for the audit line')
      },
    ],
  ])('%s: the audit line is cleaned before it is cut', async (_what, sanitize) => {
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
    const options = { description, ...(sanitize !== undefined && { sanitize }) }
    const run = () => [{ type: 'image', data: '', mimeType: 'image/png' } as const]
    const settings = createSettings(
      { tool: defineTool({ ...options, input: z.object({ text: z.string() }), run }) },
      { audit: { arguments: true } },
    )
    // the secret lies across the end of what a line has of the arguments, and of the id
    const params = { name: 'tool', arguments: { text: `${'x'.repeat(2_035)}${secret}` } }
    const call = createCall(settings, 'tools/call', params, { env: { API_KEY: secret } })
    call.id = `${'x'.repeat(250)}${secret}`
    await replyTo(call)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"outcome":"complete"')
    expect(lines[0]).not.toContain('hunt')
  })
})

describe('the texts of a result', () => {
  const secret = 'hunter2-Xq8LmZ4v'
  const dirty = `hid\u202Eden ${secret}`

  test.each<[string, ToolDefinition['sanitize'], string]>([
    ['are cleaned, and secrets masked', undefined, 'hidden [secret]'],
    ['are left as they are with `sanitize: false`', false, dirty],
    [
      'are what `sanitize` makes of them, secrets masked',
      (text: string) => text.toUpperCase().replace(secret.toUpperCase(), secret),
      'HID\u202EDEN [secret]',
    ],
  ])('%s', async (_what, sanitize, expected) => {
    const fail = (): string => {
      throw new ToolError(dirty)
    }
    const options = { description, ...(sanitize !== undefined && { sanitize }) }
    for (const run of [() => dirty, fail]) {
      const settings = createSettings({ tool: defineTool({ ...options, run }) })
      const changes = { env: { API_KEY: secret } }
      // oxlint-disable-next-line no-await-in-loop
      const reply = await replyTo(createCall(settings, 'tools/call', { name: 'tool' }, changes))
      expect(JSON.parse(reply).result.content[0].text).toBe(expected)
    }
  })
})

describe('a ToolError', () => {
  test.each<[string, ErrorOptions, number]>([
    ['with a cause is logged with it', { cause: new Error('no route') }, 1],
    ['without a cause is for the model alone', {}, 0],
  ])('%s', async (_, options, lines) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const fails = defineTool({
      description,
      run() {
        throw new ToolError('The shop is closed.', options)
      },
    })
    const result = await call(fails)
    const said = toLogText(warn.mock.calls)
    expect(warn).toHaveBeenCalledTimes(lines)
    warn.mockRestore()
    expect(result).toMatchObject({ isError: true, content: [{ text: 'The shop is closed.' }] })
    expect(said.includes('no route')).toBe(lines === 1)
  })
})
