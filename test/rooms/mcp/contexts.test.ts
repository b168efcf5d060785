import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RunContext } from '../../../src/define/contexts.ts'
import type { Uses } from '../../../src/define/handles.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool, type Tool } from '../../../src/define/tool.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { ServerNotification } from '../../../src/protocol/message.ts'
import { type LogLevel, logLevels } from '../../../src/protocol/meta.ts'
import { createProgress } from '../../../src/mcp/contexts.ts'
import { createServer } from '../../spec/server.ts'
import { type CallChanges, createCall, createSettings, replyTo, toLogText } from './test-call.ts'

afterEach(() => vi.restoreAllMocks())

const description = 'A tool of this test.'

/** A tool call in which `run` gets the whole context, and the messages of its reply. */
async function run(
  body: (context: Pick<RunContext<unknown, object, Uses>, 'progress' | 'log'>) => void,
  changes: CallChanges = {},
): Promise<readonly ReturnType<typeof JSON.parse>[]> {
  const tool = defineTool({
    description,
    run(context) {
      body(context)
      return 'ran'
    },
  })
  const settings = createSettings({ tool })
  const call = createCall(settings, 'tools/call', { name: 'tool' }, { streams: true, ...changes })
  return toMessages(await replyTo(call))
}

/** The messages of a JSON reply or of an event stream. */
function toMessages(reply: string): readonly ReturnType<typeof JSON.parse>[] {
  if (reply.startsWith('{')) return [JSON.parse(reply)]
  return reply
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

describe('progress', () => {
  /** The parameters of what `progress` sends for these calls of it. */
  function send(
    calls: readonly (readonly [number, number?, string?])[],
    token?: string | number,
  ): readonly ReturnType<typeof JSON.parse>[] {
    const envelope = token === undefined ? {} : { progressToken: token }
    const call = createCall(createSettings(), 'tools/call', {}, { envelope, streams: true })
    const sent: ServerNotification[] = []
    vi.spyOn(call, 'emit').mockImplementation((notification) => void sent.push(notification))
    const progress = createProgress(call)
    for (const one of calls) progress(...one)
    expect(sent.every(({ method }) => method === 'notifications/progress')).toBe(true)
    return sent.map(({ params }) => params)
  }

  test('is sent with its token, and a total and a message where there are any', () => {
    expect(send([[1], [2, 4], [3, 4, 'Three of four.']], 'token')).toEqual([
      { progressToken: 'token', progress: 1 },
      { progressToken: 'token', progress: 2, total: 4 },
      { progressToken: 'token', progress: 3, total: 4, message: 'Three of four.' },
    ])
    expect(send([[0]], 0)).toEqual([{ progressToken: 0, progress: 0 }])
  })

  test('is not sent to a client that did not ask for it', () => {
    expect(
      send([
        [1, 2],
        [2, 2],
      ]),
    ).toEqual([])
  })

  test('only grows: a value that is not larger than the last is left out', () => {
    const sent = send([[-1], [0], [0], [0.5], [0.25], [2], [1], [2], [3]], 't')
    expect(sent.map(({ progress }) => progress)).toEqual([-1, 0, 0.5, 2, 3])
  })

  test.each([Number.NaN, Infinity, -Infinity, JSON.parse('"2"')])(
    'is not sent where it is %s, and goes on from the value before',
    (done) => {
      const sent = send([[1], [done], [2]], 't')
      expect(sent.map(({ progress }) => progress)).toEqual([1, 2])
    },
  )

  test.each([Number.NaN, Infinity, undefined, JSON.parse('"4"'), JSON.parse('null')])(
    'is sent without a total where that is %s',
    (total) => {
      expect(send([[1, total, 'One.']], 't')).toEqual([
        { progressToken: 't', progress: 1, message: 'One.' },
      ])
    },
  )

  test('makes the reply a stream that ends with the result', async () => {
    const envelope = { progressToken: 7 }
    const messages = await run(({ progress }) => progress(1, 2, 'Half.'), { envelope })
    expect(messages).toMatchObject([
      {
        method: 'notifications/progress',
        params: { progressToken: 7, progress: 1, total: 2, message: 'Half.' },
      },
      { id: 1, result: { content: [{ text: 'ran' }] } },
    ])
  })

  test('is cleaned: its message has neither secrets nor hidden characters', async () => {
    const [notification] = await run(
      ({ progress }) => progress(1, 2, 'hid\u202Eden hunter2-Xq8LmZ4v'),
      { envelope: { progressToken: 7 }, env: { API_KEY: 'hunter2-Xq8LmZ4v' } },
    )
    expect(notification.params.message).toBe('hidden [secret]')
  })

  test('is not sent where the client takes no stream', async () => {
    const envelope = { progressToken: 7 }
    const messages = await run(({ progress }) => progress(1), { envelope, streams: false })
    expect(messages).toMatchObject([{ id: 1, result: {} }])
  })
})

describe('log', () => {
  const silence = () => ({
    info: vi.spyOn(console, 'log').mockImplementation(() => {}),
    warn: vi.spyOn(console, 'warn').mockImplementation(() => {}),
    error: vi.spyOn(console, 'error').mockImplementation(() => {}),
  })

  async function writeAll(logLevel?: LogLevel) {
    const written = silence()
    const envelope = logLevel === undefined ? {} : { logLevel }
    const messages = await run(
      ({ log }) => {
        for (const level of logLevels) log[level](`at ${level}`)
      },
      { envelope },
    )
    const sent = messages.filter(({ method }) => method === 'notifications/message')
    return { written, sent: sent.map(({ params }) => params) }
  }

  test.each(logLevels)(
    'sends a client that asks for %s this level and those above',
    async (level) => {
      const { sent } = await writeAll(level)
      const wanted = logLevels.slice(logLevels.indexOf(level))
      expect(sent).toEqual(
        wanted.map((each) => ({ level: each, logger: 'tool', data: `at ${each}` })),
      )
    },
  )

  test('sends nothing to a client that names no level, and writes every level', async () => {
    const { sent, written } = await writeAll()
    expect(sent).toEqual([])
    const levels = (calls: readonly (readonly unknown[])[]) =>
      calls.map(([line]) => JSON.parse(String(line)).level)
    expect(levels(written.info.mock.calls)).toEqual(['debug', 'info', 'notice'])
    expect(levels(written.warn.mock.calls)).toEqual(['warning'])
    expect(levels(written.error.mock.calls)).toEqual(['error', 'critical', 'alert', 'emergency'])
  })

  test('a line has the level, the tool, the message and the detail', async () => {
    const { info } = silence()
    await run(({ log }) => log.info('Found.', { rows: 2 }))
    expect(JSON.parse(String(info.mock.calls[0]?.[0]))).toEqual({
      level: 'info',
      logger: 'tool',
      message: 'Found.',
      detail: { rows: 2 },
    })
  })

  test.each<[string, Json | undefined, unknown]>([
    ['no detail', undefined, 'Said.'],
    ['an object', { rows: 2 }, { message: 'Said.', detail: { rows: 2 } }],
    ['null', null, { message: 'Said.', detail: null }],
    ['false', false, { message: 'Said.', detail: false }],
  ])('the data of a message with %s', async (_, detail, data) => {
    silence()
    const [message] = await run(({ log }) => log.info('Said.', detail), {
      envelope: { logLevel: 'info' },
    })
    expect(message.params).toEqual({ level: 'info', logger: 'tool', data })
  })

  const odd: readonly (readonly [string, () => unknown, unknown])[] = [
    ['undefined', () => undefined, 'undefined'],
    ['null', () => null, null],
    ['a number', () => 5, 5],
    ['NaN', () => Number.NaN, null],
    ['a bigint', () => 1n, '1'],
    ['a function', () => () => 'source', 'a function'],
    ['a symbol', () => Symbol('s'), 'a symbol'],
    ['an object', () => ({ rows: 2n, run() {} }), { rows: '2' }],
    ['an error', () => new TypeError('10.0.0.7'), 'TypeError'],
    ['an error within', () => ({ cause: new Error('10.0.0.7') }), { cause: 'Error' }],
    ['a circle', createCircle, expect.stringMatching(/^It is not JSON: .*circular/)],
    ['a toJSON that throws', () => createThrowing('toJSON'), 'It is not JSON: reading it failed'],
    ['a getter that throws', () => createThrowing('rows'), 'It is not JSON: reading it failed'],
    ['a proxy that throws', () => new Proxy({}, throwing), 'It is not JSON: reading it failed'],
    ['an object without a prototype', () => Object.create(null), {}],
    ['deep', createDeep, 'It is not JSON: reading it failed'],
    [
      'huge',
      () => 'x'.repeat(10_000_000),
      expect.stringMatching(/^x{65536}\.\.\. \(cut, 10000000/),
    ],
    [
      'huge within',
      () => ['x'.repeat(10_000_000)],
      expect.stringMatching(/^\["x.*\(cut, 10000004/),
    ],
    ['half a pair', () => '\uD800', '\uFFFD'],
  ]

  test.each(
    odd.flatMap(([what, create, data]) =>
      [{}, { API_KEY: 'hunter2-hunter2' }].map((env) => [what, env, create, data] as const),
    ),
  )('%s fails no call, and is JSON on the wire: %j', async (_, env, create, data) => {
    silence()
    const body = ({ log, progress }: Parameters<Parameters<typeof run>[0]>[0]): void => {
      Object(log).info(create())
      Object(log).error('Said.', create())
      Object(progress)(1, create(), create())
    }
    const messages = await run(body, { env, envelope: { logLevel: 'info', progressToken: 7 } })
    const [first, second, progress, ended] = messages.map(({ params, result }) => params ?? result)
    expect(first).toEqual({ level: 'info', logger: 'tool', data })
    const isSaid = create() !== undefined
    expect(second.data).toEqual(isSaid ? { message: 'Said.', detail: data } : 'Said.')
    expect(progress).toMatchObject({ progressToken: 7, progress: 1 })
    expect([typeof progress.message, typeof progress.total]).not.toContain('object')
    expect(progress.total ?? 5).toBe(5)
    expect(ended).toMatchObject({ content: [{ text: 'ran' }] })
    // the official schema: `data` may be anything, but must be there
    expect(messages[0]).toHaveProperty(['params', 'data'])
  })

  test('an error is in the log with its text and its stack', async () => {
    const { error } = silence()
    await run(({ log }) => Object(log).error('Not saved.', new TypeError('10.0.0.7')))
    const [line, thrown] = error.mock.calls[0] ?? []
    expect(JSON.parse(String(line))).toEqual({
      level: 'error',
      logger: 'tool',
      message: 'Not saved.',
      detail: 'TypeError',
    })
    expect(thrown).toMatchObject({ name: 'TypeError', message: '10.0.0.7' })
  })

  test('is cleaned on both ways: to the client and to the log', async () => {
    const { info } = silence()
    const text = 'hid\u202Eden hunter2-Xq8LmZ4v'
    const [message] = await run(({ log }) => log.info(text, { text }), {
      envelope: { logLevel: 'debug' },
      env: { API_KEY: 'hunter2-Xq8LmZ4v' },
    })
    const clean = 'hidden [secret]'
    expect(message.params.data).toEqual({ message: clean, detail: { text: clean } })
    const [line] = info.mock.calls[0] ?? []
    expect(JSON.parse(String(line))).toMatchObject({ message: clean, detail: { text: clean } })
  })
})

test.each([
  ['a JSON reply', false],
  ['a stream', true],
])('messages after %s are dropped', async (_, streamsEarly) => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const late = Promise.withResolvers<() => void>()
  const messages = await run(
    ({ progress, log }) => {
      if (streamsEarly) progress(1)
      late.resolve(() => {
        progress(2)
        log.error('too late')
      })
    },
    { envelope: { progressToken: 7, logLevel: 'debug' } },
  )
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await late.promise).not.toThrow()
  expect(messages).toHaveLength(streamsEarly ? 2 : 1)
  // the Worker's own log still has it
  expect(error.mock.calls[0]?.[0]).toContain('too late')
})

test('a message after a JSON reply opens no stream', async () => {
  const tool = defineTool({ description, run: () => 'ran' })
  const envelope = { progressToken: 7 }
  const call = createCall(
    createSettings({ tool }),
    'tools/call',
    { name: 'tool' },
    { streams: true, envelope },
  )
  await replyTo(call)
  const open = vi.spyOn(call.channel, 'open')
  createProgress(call)(1)
  expect(open).not.toHaveBeenCalled()
})

function createThrowing(key: string): object {
  return Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      throw Object.create(null)
    },
  })
}

const fail = (): never => {
  throw Object.create(null)
}
const throwing: ProxyHandler<object> = { get: fail, ownKeys: fail, getPrototypeOf: fail }

function createDeep(): object {
  let deep: object = {}
  for (let level = 0; level < 100_000; level += 1) deep = { deep }
  return deep
}

function createCircle(): object {
  const circle: { self?: object } = {}
  circle.self = circle
  return circle
}

/* What TypeScript refuses, from an author who does not use it: the log has to explain it. */

function logged() {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  return (): string => toLogText(log.mock.calls)
}

function untyped(tool: Tool, run: (context: Record<string, unknown>) => unknown): Tool {
  return { ...tool, definition: Object.assign({ ...tool.definition }, { run }) }
}

const own = defineTool({
  description: 'Is kept.',
  hints: { readOnly: true },
  cache: '1m',
  run: () => '',
})
const shared = defineTool({
  description: 'Is kept.',
  hints: { readOnly: true },
  cache: '1m',
  shared: true,
  run: () => '',
})

test.each(['progress', 'trace', 'use', 'create', 'notify', 'purge'])(
  '%s is not available in a tool with `cache`',
  async (name) => {
    const read = logged()
    const tool = untyped(own, (context) => String(context[name]))
    const { body } = await createServer({}, { tool }).ask('tools/call', { name: 'tool' })
    expect(body.result.isError).toBe(true)
    expect(read()).toContain(`\`${name}\` is not available in a tool with \`cache\`: it`)
  },
)

test('caller is not available in a tool with `shared`', async () => {
  const read = logged()
  const tool = untyped(shared, ({ caller }) => `for ${String(caller)}`)
  const { body } = await createServer({}, { tool }).ask('tools/call', { name: 'tool' })
  expect(body.result.isError).toBe(true)
  expect(read()).toContain(
    '`caller` is not available in a tool with `shared`: the result is the same for every caller.',
  )
})

test('caller is not available in a resource with `shared`', async () => {
  const read = logged()
  const page = defineResource({
    uri: 'it://page',
    mime: 'text/plain',
    shared: true,
    read: () => '',
  })
  const definition = Object.assign(
    { ...page.definition },
    { read: (context: Record<string, unknown>) => `for ${String(context['caller'])}` },
  )
  const params = { uri: 'it://page', name: 'it://page' }
  const server = createServer({}, { page: { ...page, definition } })
  const { body } = await server.ask('resources/read', params)
  expect(body.error.code).toBe(-32603)
  expect(read()).toContain('`caller` is not available in a resource with `shared`')
})

test('what is available can be spread as in any other tool', async () => {
  const tool = untyped(own, (context) => JSON.stringify(Object.keys({ ...context }).toSorted()))
  const { body } = await createServer({}, { tool }).ask('tools/call', { name: 'tool' })
  expect(JSON.parse(body.result.content[0].text)).toEqual([
    'caller',
    'env',
    'input',
    'log',
    'signal',
  ])
})
