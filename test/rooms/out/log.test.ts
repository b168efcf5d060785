import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineTool, type Log } from 'helve'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { createServer, url } from '../../spec/server.ts'
import { toModernRequest } from '../../support/modern-request.ts'

const secret = 'hunter2-Xq8LmZ4v'
const log = new WorkerLog(createSanitizer([secret]))

type Writer = 'log' | 'warn' | 'error'

let written: { readonly writer: Writer; readonly parts: readonly unknown[] }[] = []

beforeEach(() => {
  written = []
  for (const writer of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, writer).mockImplementation((...parts: unknown[]) => {
      written.push({ writer, parts })
    })
  }
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** The line that was written last, by this method of `console`, and what stands beside it. */
function last(writer: Writer) {
  const [line, ...beside] = written.findLast((one) => one.writer === writer)?.parts ?? []
  const fields: Record<string, unknown> = JSON.parse(String(line))
  return { line: String(line), fields, beside }
}

describe('an error', () => {
  test('has a line with an id, and stands beside the line as an Error', () => {
    const thrown = new TypeError('no route')
    const errorId = log.error('tools/call pay', thrown)
    const { fields, beside } = last('error')
    expect(errorId).toMatch(/^[\da-f-]{36}$/)
    expect(fields).toEqual({ level: 'error', errorId, what: 'tools/call pay' })
    expect(beside).toHaveLength(1)
    const [logged] = beside
    expect(logged).toBeInstanceOf(Error)
    expect(logged).toMatchObject({ name: 'TypeError', message: 'no route', stack: thrown.stack })
  })

  test('has another id each time', () => {
    expect(log.error('x', new Error('y'))).not.toBe(log.error('x', new Error('y')))
  })

  test('has its secrets masked, in its name, message, stack and members, and is not changed', () => {
    const thrown = Object.assign(new Error(`refused ${secret}`), { name: secret, url: [secret] })
    const { stack } = thrown
    log.error(`call ${secret}`, thrown)
    const { line, beside } = last('error')
    const [logged] = beside
    expect(line).toContain('call [secret]')
    expect(logged).toMatchObject({
      name: '[secret]',
      message: 'refused [secret]',
      stack: stack?.replaceAll(secret, '[secret]'),
      url: ['[secret]'],
    })
    expect(thrown).toMatchObject({ name: secret, message: `refused ${secret}`, stack })
  })

  test('has no hidden characters', () => {
    log.error('x\u202E', new Error('a\x1b[2K\u200Bb'))
    const { line, beside } = last('error')
    expect(line).not.toContain('\u202E')
    expect(beside).toMatchObject([{ message: 'ab' }])
  })

  test('has its causes, masked as well', () => {
    const inner = new Error(`refused ${secret}`, { cause: { code: 42, key: secret } })
    log.error('x', new Error('outer', { cause: inner }))
    const [logged] = last('error').beside
    expect(logged).toMatchObject({
      message: 'outer',
      cause: { message: 'refused [secret]', cause: { code: 42, key: '[secret]' } },
    })
    expect(logged).toHaveProperty('cause', expect.any(Error))
    expect(inner.message).toBe(`refused ${secret}`)
  })

  test('that is its own cause ends', () => {
    const thrown = new Error('round')
    thrown.cause = thrown
    log.error('x', thrown)
    const causes: unknown[] = []
    let [cause] = last('error').beside
    while (cause instanceof Error) {
      causes.push(cause)
      cause = cause.cause
    }
    expect(causes).toHaveLength(4)
  })
})

describe('an error that resists being read is logged with what can be read of it', () => {
  const resist = (): never => {
    throw new Error('not the error that was thrown')
  }
  const define = (key: string, rest: PropertyDescriptor): Error =>
    Object.defineProperty(new Error('no route'), key, { enumerable: true, ...rest })

  test.each<[string, unknown, object]>([
    ['a getter for its message', define('message', { get: resist }), { name: 'Error' }],
    ['a getter for its stack', define('stack', { get: resist }), { message: 'no route' }],
    ['a getter for its cause', define('cause', { get: resist }), { message: 'no route' }],
    ['a getter of its own', define('more', { get: resist }), { message: 'no route' }],
    ['a stack that is not a text', define('stack', { value: { at: 1 } }), { message: 'no route' }],
    ['a name that is not a text', define('name', { value: 5 }), { name: '5', message: 'no route' }],
    ['a message of null', define('message', { value: null }), { name: 'Error' }],
    ['a member __proto__', define('__proto__', { value: { a: 1 } }), { message: 'no route' }],
    ['frozen', Object.freeze(new Error('no route')), { message: 'no route' }],
    ['a DOMException', new DOMException('no route', 'AbortError'), { name: 'AbortError' }],
  ])('%s', (_, thrown, expected) => {
    const errorId = log.error('x', thrown)
    const { fields, beside } = last('error')
    expect(fields).toEqual({ level: 'error', errorId, what: 'x' })
    expect(beside).toEqual([expect.any(Error)])
    expect(beside).toMatchObject([expected])
    expect(Object.getPrototypeOf(beside[0])).toBe(Error.prototype)
    expect(JSON.stringify(written)).not.toContain('not the error that was thrown')
  })

  test.each<[string, () => unknown]>([
    [
      'a circle without a prototype',
      () => {
        const circle: { self?: unknown } = Object.create(null)
        circle.self = circle
        return circle
      },
    ],
    ['an object that has no text', () => ({ toJSON: resist, toString: resist })],
    ['a proxy that throws', () => new Proxy({}, { get: resist, getPrototypeOf: resist })],
  ])('%s', (_, make) => {
    log.error('x', make())
    log.warn('x', 'detail', make())
    expect(last('error').fields['thrown']).toBe('It cannot be read.')
    expect(last('warn').fields['thrown']).toBe('It cannot be read.')
    expect(log.toMasked(make())).toBe('It cannot be read.')
  })
})

test('an AggregateError brings its errors, masked like itself', () => {
  const first = new Error(`refused ${secret}`)
  log.error('x', new AggregateError([first, secret], 'all failed'))
  const [logged] = last('error').beside
  expect(logged).toMatchObject({ name: 'AggregateError', message: 'all failed' })
  expect(logged).toHaveProperty('errors', [expect.any(Error), '[secret]'])
  expect(logged).toHaveProperty('errors.0.message', 'refused [secret]')
})

describe('what is thrown and is not an Error', () => {
  test('keeps its fields, masked', () => {
    log.error('x', { code: 42, message: `no ${secret}`, more: [null] })
    const { fields, beside } = last('error')
    expect(fields['thrown']).toEqual({ code: 42, message: 'no [secret]', more: [null] })
    expect(beside).toEqual([])
  })

  test.each([
    ['a text', 'plain', 'plain'],
    ['a number', 7, 7],
    ['null', null, null],
    ['a function', String, String(String)],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a bigint', 7n, '7'],
  ])('is logged as it is: %s', (_, thrown, expected) => {
    log.error('x', thrown)
    expect(last('error').fields['thrown']).toEqual(expected)
  })

  test('may be a circle', () => {
    const thrown: { self?: unknown } = {}
    thrown.self = thrown
    log.error('x', thrown)
    expect(last('error').fields['thrown']).toBe('[object Object]')
  })
})

test('a warning has a line with its detail, and what was thrown', () => {
  log.warn('purge', `Nothing was purged: ${secret}.`)
  expect(last('warn')).toMatchObject({
    fields: { level: 'warn', what: 'purge', detail: 'Nothing was purged: [secret].' },
    beside: [],
  })
  log.warn('purge', 'Nothing was purged.', new Error(secret))
  expect(last('warn').beside).toMatchObject([{ message: '[secret]' }])
})

test.each([
  ['info', 'log'],
  ['warn', 'warn'],
  ['error', 'error'],
] as const)('the severity %s is written by console.%s alone', (severity, method) => {
  log.write(severity, { level: severity, note: `${secret}\x1b[2K` })
  expect(last(method).line).toBe(`{"level":"${severity}","note":"[secret]"}`)
  expect(written).toHaveLength(1)
})

test('a line stays one line, whatever is in it', () => {
  log.write('info', { note: 'a\n{"level":"info"}\r\u2028b' })
  expect(last('log').line).not.toMatch(/[\n\r]/)
})

test('an exception that leaves an object is a masked copy', () => {
  const thrown = new RangeError(`no ${secret}`)
  const masked = log.toMasked(thrown)
  expect(masked).toBeInstanceOf(Error)
  expect(masked).toMatchObject({ name: 'RangeError', message: 'no [secret]' })
  expect(thrown.message).toBe(`no ${secret}`)
  expect(log.toMasked({ key: secret })).toEqual({ key: '[secret]' })
  expect(written).toEqual([])
})

describe('from a tool', () => {
  /** Calls a tool of a server whose `env` has a secret. */
  async function call(run: (context: { readonly log: Log }) => string): Promise<void> {
    const say = defineTool({ description: 'Says.', run })
    const { worker, context } = createServer({ audit: false }, { say })
    const [env, ctx] = context()
    const request = toModernRequest(url, 'tools/call', { name: 'say' })
    const response = await worker.fetch(request, Object.assign(env, { API_KEY: secret }), ctx)
    await response.text()
  }

  test.each([
    ['debug', 'log'],
    ['info', 'log'],
    ['warning', 'warn'],
    ['error', 'error'],
  ] as const)('the line of log.%s is masked', async (level, writer) => {
    await call(({ log }) => {
      log[level](`the key is ${secret}`, { key: [secret], [secret]: 1 })
      return ''
    })
    // a warning says which name was masked
    const lines = written.filter((one) => !String(one.parts[0]).includes('"what":"mask"'))
    expect(lines.filter((one) => one.writer === writer)).toHaveLength(1)
    const { line } = last(writer)
    expect(line).toContain('the key is [secret]')
    expect(JSON.stringify(written)).not.toContain(secret)
  })

  test('an Error reaches the console as an Error, with its cause', async () => {
    await call(() => {
      throw new RangeError(`no ${secret}`, { cause: new Error(`for ${secret}`) })
    })
    const { fields, beside } = last('error')
    expect(fields).toMatchObject({ level: 'error', what: 'tools/call say' })
    expect(beside[0]).toBeInstanceOf(Error)
    expect(beside).toMatchObject([
      { name: 'RangeError', message: 'no [secret]', cause: { message: 'for [secret]' } },
    ])
  })

  test('what is thrown and is not an Error keeps its fields', async () => {
    await call(() => {
      // oxlint-disable-next-line no-throw-literal, only-throw-error -- as some libraries do
      throw { code: 42, message: `no ${secret}` }
    })
    expect(last('error').fields).toMatchObject({ thrown: { code: 42, message: 'no [secret]' } })
  })
})
