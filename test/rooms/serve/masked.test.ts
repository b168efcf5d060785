import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineTool, form, reply, type Tool, type WorkerOptions } from 'helve'
import type { Made } from '../../spec/registry.ts'
import { createServer } from '../../spec/server.ts'
import { type Changes, toModernRequest } from '../../support/modern-request.ts'
import { endpoint, send } from './served.ts'

/* What masking does to results, and what it must not do. */

const key = 'sk_live_0123456789abcdef'
const description = 'A tool of this test.'

afterEach(() => {
  vi.restoreAllMocks()
})

interface Tried {
  readonly bindings?: Readonly<Record<string, unknown>>
  readonly options?: Partial<WorkerOptions>
}

async function call(
  tool: Tool,
  input: object,
  { bindings = { API_KEY: key }, options = {} }: Tried = {},
) {
  const request = toCall(input)
  const made: Record<string, Made> = { tool }
  const { body } = await send(request, { made, options: { ...options }, bindings })
  return body.result
}

function toCall(input: object, changes: Changes = {}): Request {
  const params = { name: 'tool', arguments: input }
  return toModernRequest(endpoint, 'tools/call', params, changes)
}

const repeats = defineTool({
  description,
  input: z.object({ text: z.string() }),
  run: ({ input }) => input.text,
})

function spyOnLog() {
  const lines: string[] = []
  for (const method of ['log', 'warn', 'error', 'info'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map(String).join(' '))
    })
  }
  return { find: (part: string) => lines.filter((line) => line.includes(part)), lines }
}

test('what is in `env` and no credential does not change a result', async () => {
  const bindings = {
    ENVIRONMENT: 'production',
    APP_URL: 'https://app.example.com',
    REGIONS: 'eu-central-1,us-east-1',
    PIN: '483920174',
  }
  const tool = defineTool({
    description,
    output: z.object({
      stage: z.enum(['production', 'staging']),
      production: z.boolean(),
      link: z.url(),
      region: z.string(),
    }),
    run: () => ({
      stage: 'production',
      production: true,
      link: 'https://app.example.com/orders/17',
      region: 'eu-central-1',
    }),
  })
  const { structuredContent, content, isError } = await call(tool, {}, { bindings })
  expect(isError).toBeUndefined()
  expect(structuredContent).toEqual({
    stage: 'production',
    production: true,
    link: 'https://app.example.com/orders/17',
    region: 'eu-central-1',
  })
  expect(JSON.parse(content[0].text)).toEqual(structuredContent)
})

describe('a tool that repeats text is no oracle', () => {
  const guesses = Array.from({ length: 100_000 }, (_, guess) => String(guess).padStart(5, '0'))

  test.each([
    ['a PIN', { PIN: '48392' }, 'PIN', guesses],
    [
      'a password of a dictionary',
      { DB_PASSWORD: 'hunter2hunter2' },
      '',
      ['hunter2hunter2', 'letmein'],
    ],
    [
      'the password of a URL',
      { DATABASE: 'postgres://shop:48392@db/shop' },
      '',
      guesses.slice(40_000, 50_000).map((guess) => `postgres://shop:${guess}@db/shop`),
    ],
  ])('for %s', async (_what, bindings, _name, texts) => {
    const { content } = await call(repeats, { text: texts.join('\n') }, { bindings })
    const seen = new Set(
      String(content[0].text)
        .split('\n')
        .map((line) => line.includes('[secret]')),
    )
    expect(seen.size).toBe(1)
  })
})

describe('what a schema names stays', () => {
  const published = 'plan_9f8e7d6c5b4a39281706'
  const tool = defineTool({
    description,
    input: z.object({ plan: z.enum([published, 'free']).optional() }),
    output: z.object({
      plan: z.enum([published, 'free']),
      [published]: z.number(),
      note: z.string(),
    }),
    run: () => ({ plan: published, [published]: 1, note: `for ${published}` }),
  })
  const bindings = { API_KEY: key, PLAN: published }

  test('in results', async () => {
    const { structuredContent, content } = await call(tool, {}, { bindings })
    const expected = { plan: published, [published]: 1, note: 'for [secret]' }
    expect(structuredContent).toEqual(expected)
    expect(JSON.parse(content[0].text)).toEqual(expected)
  })

  test('beside content of its own', async () => {
    const beside = defineTool({
      description,
      output: z.object({ plan: z.enum([published, 'free']) }),
      run: () => reply({ plan: published }, { type: 'image', data: 'AAAA', mimeType: 'image/png' }),
    })
    const { structuredContent, content } = await call(beside, {}, { bindings })
    expect(structuredContent).toEqual({ plan: published })
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
  })

  test('in lists', async () => {
    const request = toModernRequest(endpoint, 'tools/list')
    const { body } = await send(request, { made: { tool }, bindings })
    const { inputSchema, outputSchema } = body.result.tools[0]
    expect(inputSchema.properties.plan.enum).toEqual([published, 'free'])
    expect(outputSchema.required).toContain(published)
  })

  test('with rules of its own, in keys', async () => {
    const own = defineTool({
      description,
      output: z.object({ name: z.string() }),
      sanitize: (text) => text.toUpperCase(),
      run: () => ({ name: `ada ${key}` }),
    })
    const { structuredContent } = await call(own, {}, { bindings: { API_KEY: key.toUpperCase() } })
    expect(structuredContent).toEqual({ name: 'ADA [secret]' })
  })
})

describe('a result that sanitizing takes out of its schema fails', () => {
  // what `run` returns is not yet what is sent
  const at = z.number().transform(String).pipe(z.string())

  test.each([
    ['a mask', z.string().regex(/^sk_/), key, /secrets were masked \(in `env`: API_KEY\)/],
    ['a mask of a part', z.url(), `https://${key}.example`, /in `env`: API_KEY/],
    ['a hidden character', z.string().min(3), 'ab\u202E', /hidden characters were removed/],
  ])('%s', async (_, member, value, why) => {
    const log = spyOnLog()
    const tool = defineTool({
      description,
      output: z.object({ member, at }),
      run: () => ({ member: value, at: 5 }),
    })
    const { isError, content } = await call(tool, {})
    expect(isError).toBe(true)
    expect(content[0].text).toMatch(/fault on the server.*Error id: /)
    const [line] = log.find('"level":"error"')
    expect(line).toMatch(why)
    expect(JSON.stringify([content, log.lines])).not.toContain(key)
  })

  test('one that stays within it does not', async () => {
    const tool = defineTool({
      description,
      output: z.object({ note: z.string(), at }),
      run: () => ({ note: key, at: 5 }),
    })
    const { structuredContent } = await call(tool, {})
    expect(structuredContent).toEqual({ note: '[secret]', at: '5' })
  })
})

describe('the options', () => {
  test('`public` exempts a name', async () => {
    const options = { public: ['API_KEY'] }
    const { content } = await call(repeats, { text: key }, { options })
    expect(content[0].text).toBe(key)
  })

  test('`secrets` masks whatever the value looks like', async () => {
    // the start of the Worker is checked against its own `env`, which has this name
    const options = { secrets: ['WEATHER_API'] }
    const bindings = { WEATHER_API: 'https://api.example.com' }
    const { content } = await call(
      repeats,
      { text: 'at https://api.example.com/v1' },
      { options, bindings },
    )
    expect(content[0].text).toBe('at [secret]/v1')
  })

  test('a name that `env` does not have stops the start', async () => {
    const options = { secrets: ['NOT_THERE'] }
    await expect(call(repeats, { text: '' }, { options })).rejects.toThrow(/"NOT_THERE"/)
  })
})

test('the log says once which name was masked, and not its value', async () => {
  const log = spyOnLog()
  const tool = defineTool({ description, run: () => `${key} ${key}` })
  const made: Record<string, Made> = { tool }
  const request = () => toCall({})
  const { worker, context } = createServer({}, made)
  const [env, ctx] = context()
  const own = Object.assign(env, { API_KEY: key })
  for (let count = 0; count < 3; count += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await (await worker.fetch(request(), own, ctx)).text()
  }
  expect(log.find('"what":"mask"')).toEqual([expect.stringContaining('\\"API_KEY\\"')])
  expect(JSON.stringify(log.lines)).not.toContain(key)
})

describe('keys that cleaning makes equal', () => {
  const data = JSON.parse(
    '{"approved":false,"appr\u200Boved":true,"other":{"approved":1,"\u200B":2}}',
  )

  const fault = /fault on the server.*Error id: /
  test.each<[string, unknown, RegExp]>([
    [
      'two keys',
      { approved: false, 'appr\u200Boved': true },
      /became, like another key beside it, "approved"/,
    ],
    [
      'the second first',
      { 'appr\u200Boved': true, approved: false },
      /like another key beside it, "approved"/,
    ],
    ['at any depth', [{ a: [{ b: { x: 1, 'x\u202E': 2 } }] }], /"x"/],
    ['a key that becomes empty', { '\u200B': 1 }, /became ""/],
    ['__proto__', { '__pro\u200Bto__': 1 }, /became "__proto__"/],
    ['two secrets', { [key]: 1, ghp_16C7e42F292c6912E7710c838347Ae178B4a: 2 }, /"\[secret\]"/],
    ['half pairs', { 'a\uD800': 1, 'a\uD801': 2 }, /"a\uFFFD"/],
  ])('%s: the result is refused', async (_, value, why) => {
    const log = spyOnLog()
    const tool = defineTool({
      description,
      output: z.object({ value: z.json() }),
      run: () => ({ value: z.json().parse(value) }),
    })
    const bindings = { API_KEY: key, OTHER: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' }
    const { isError, content, structuredContent } = await call(tool, {}, { bindings })
    expect({ isError, structuredContent }).toEqual({ isError: true, structuredContent: undefined })
    expect(content[0].text).toMatch(fault)
    expect(log.find('"level":"error"')[0]).toMatch(why)
  })

  test('the same keys in different objects are no collision', async () => {
    const tool = defineTool({
      description,
      output: z.object({ value: z.json() }),
      run: () => ({ value: [{ a: 1 }, { 'a\u200B': { a: 2 } }, { b: { 'b\u200B': 'a' } }] }),
    })
    const { structuredContent } = await call(tool, {})
    expect(structuredContent).toEqual({ value: [{ a: 1 }, { a: { a: 2 } }, { b: { b: 'a' } }] })
  })

  test('with rules of its own, and without any', async () => {
    spyOnLog()
    const options = { description, output: z.object({ value: z.json() }) }
    const upper = defineTool({
      ...options,
      sanitize: (text) => text.toUpperCase(),
      run: () => ({ value: { a: 1, A: 2 } }),
    })
    expect(await call(upper, {})).toMatchObject({ isError: true })
    const off = defineTool({
      ...options,
      sanitize: false,
      run: () => ({ value: { 'a\uD800': 1, 'a\uD801': 2 } }),
    })
    expect(await call(off, {})).toMatchObject({ isError: true })
  })

  test('in the `_meta` of content, of a prompt and of a question', async () => {
    const log = spyOnLog()
    const block = { type: 'text', text: 'x', _meta: data } as const
    const content = defineTool({ description, run: () => block })
    expect(await call(content, {})).toMatchObject({ isError: true })
    const prompt = definePrompt({ description, messages: () => [{ role: 'user', content: block }] })
    const asks = defineTool({
      description,
      ask: () => ({
        sure: form('Sure?', z.object({ approved: z.boolean(), 'appr\u200Boved': z.boolean() })),
      }),
      run: () => 'done',
    })
    const capable = {
      meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
    }
    const replies = [
      await send(toModernRequest(endpoint, 'prompts/get', { name: 'prompt' }), {
        made: { prompt },
      }),
      await send(toCall({}, capable), { made: { tool: asks } }),
    ]
    for (const { body } of replies) {
      expect(body.result).toBeUndefined()
      expect(body.error).toMatchObject({
        code: -32603,
        message: expect.stringContaining('Internal error.'),
      })
    }
    expect(
      log.find('like another key beside it, \\"approved\\"').length +
        log.find('like another key beside it, "approved"').length,
    ).toBe(3)
  })

  test('a message of `log` with such data does not fail the call', async () => {
    const log = spyOnLog()
    const tool = defineTool({
      description,
      run({ log }) {
        log.info('done', data)
        return 'done'
      },
    })
    const request = toCall({}, { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } })
    const { text } = await send(request, { made: { tool } })
    expect(text).toContain('"text":"done"')
    expect(log.lines.join('\n')).not.toContain('\u200B')
    expect(text).not.toContain('\u200B')
  })

  test('an audit line has the arguments as text', async () => {
    const log = spyOnLog()
    const options = { audit: { arguments: true } }
    const request = toCall(data)
    await send(request, { options })
    const [line = ''] = log.find('"audit"')
    expect(JSON.parse(line).arguments).toContain('"approved":false,"approved":true')
  })
})
