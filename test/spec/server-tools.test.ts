import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../src/define/tool.ts'
import { createServer } from './server.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/server/tools
const { ask } = createServer()
const call = (name: string, input?: unknown) => ask('tools/call', { name, arguments: input })

describe('tools/list', () => {
  test('returns name, description, schemas and annotations', async () => {
    const { body } = await ask('tools/list')
    expect(body.result.tools[0]).toEqual({
      name: 'add',
      description: 'Adds.',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      outputSchema: {
        type: 'object',
        properties: { sum: { type: 'number' } },
        required: ['sum'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    })
  })

  test('SHOULD have a stable order: the same bytes each time', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask('tools/list')))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  test('a tool without parameters accepts only an empty object', async () => {
    const { body } = await ask('tools/list')
    expect(body.result.tools[3].inputSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
  })

  test('inputSchema MUST have the type object at its root, also of a union', async () => {
    const circle = z.object({ kind: z.literal('circle'), radius: z.number() })
    const square = z.strictObject({ kind: z.literal('square'), side: z.number() })
    const shape = defineTool({
      description: 'Returns the area.',
      input: z.discriminatedUnion('kind', [circle, square]),
      output: z.union([z.object({ area: z.number() }), z.object({ none: z.boolean() })]),
      run: ({ input }) => ({
        area: input.kind === 'circle' ? 3 * input.radius ** 2 : input.side ** 2,
      }),
    })
    const server = createServer({}, { shape })
    const { body } = await server.ask('tools/list')
    expect(body.result.tools[0]).toMatchObject({
      inputSchema: { type: 'object', properties: {}, oneOf: [{ type: 'object' }, {}] },
      outputSchema: { type: 'object', anyOf: [{ type: 'object' }, {}] },
    })
    const area = async (input: object) =>
      (await server.ask('tools/call', { name: 'shape', arguments: input })).body.result
    expect(await area({ kind: 'square', side: 3 })).toMatchObject({
      structuredContent: { area: 9 },
    })
    expect(await area({ kind: 'square', radius: 3 })).toMatchObject({ isError: true })
    expect(await area({ kind: 'cube' })).toMatchObject({ isError: true })
  })
})

describe('tools/call', () => {
  test('runs the tool with its arguments', async () => {
    expect((await call('hello', { who: 'Ada' })).body.result.content).toEqual([
      { type: 'text', text: 'Hello, Ada' },
    ])
  })

  test('accepts a call without arguments', async () => {
    expect((await ask('tools/call', { name: 'ping' })).body.result.content[0].text).toBe('pong')
  })

  test('structuredContent MUST conform to the output schema and SHOULD be repeated as text', async () => {
    expect((await call('add', { a: 1, b: 2 })).body.result).toMatchObject({
      structuredContent: { sum: 3 },
      content: [{ type: 'text', text: '{"sum":3}' }],
    })
  })

  test('all inputs MUST be validated, with an error that a model can read', async () => {
    const { status, body } = await call('add', { a: '1' })
    expect(status).toBe(200)
    expect(body.result.isError).toBe(true)
    expect(body.result.content[0].text).toMatch(/"?a"?.*number.*"?b"?/s)
  })

  test('an error of the tool is a result with isError', async () => {
    const { body } = await call('fail', {})
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'The shop is closed. Try again tomorrow.' }],
    })
  })

  test.each(['nope', 'HELLO', 'constructor', '__proto__', 'toString', ''])(
    'an unknown tool gets -32602: "%s"',
    async (name) => {
      const { status, body } = await call(name, {})
      expect([status, body.error.code]).toEqual([200, -32602])
    },
  )

  test.each([[[]], ['text'], [5], [null], [true]])(
    'arguments that are not an object get -32602: %j',
    async (input) => {
      expect((await call('hello', input)).body.error.code).toBe(-32602)
    },
  )

  test('members that every object inherits are not arguments', async () => {
    const { body } = await call('hello', JSON.parse('{"__proto__":{"who":"x"},"constructor":1}'))
    expect(body.result.isError).toBe(true)
  })
})

describe('x-mcp-header', () => {
  const region = (value: unknown, header: string | null) =>
    ask(
      'tools/call',
      { name: 'query', arguments: { region: value } },
      { headers: { 'Mcp-Param-Region': header } },
    )

  test.each([
    ['eu', 'eu'],
    ['Grüße', '=?base64?R3LDvMOfZQ==?='],
    [null, null],
    [undefined, null],
  ])('a header that matches the argument is accepted: %j', async (value, header) => {
    expect((await region(value, header)).body).not.toHaveProperty('error')
  })

  test.each([
    ['eu', 'us'],
    ['eu', null],
    [undefined, 'eu'],
    [null, 'eu'],
    ['Hello', '=?base64?SGVsbG8?='],
  ])(
    'a header that does not match MUST be refused with 400 and -32020: %j',
    async (value, header) => {
      const { status, body } = await region(value, header)
      expect([status, body.error.code]).toEqual([400, -32020])
    },
  )
})
