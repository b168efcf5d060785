import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { audio, defineTool, embed, image, reply, resourceLink, ToolError } from 'helve'
import { type LegacyVersion, legacyVersions } from '../support/legacy-request.ts'
import { createServer } from './server.ts'

const icons = [{ src: 'https://mcp.example.com/icon.png', mimeType: 'image/png' }]

// https://modelcontextprotocol.io/specification/2025-11-25/server/tools
const { ask, askLegacy } = createServer(
  {},
  {
    add: defineTool({
      title: 'Add two numbers',
      description: 'Adds.',
      icons,
      input: z.object({ a: z.number(), b: z.number() }),
      output: z.object({ sum: z.number() }),
      hints: { readOnly: true },
      run: ({ input: { a, b } }) => ({ sum: a + b }),
    }),
    counted: defineTool({
      description: 'Returns a list.',
      output: z.array(z.number()),
      run: () => [1, 2],
    }),
    fail: defineTool({
      description: 'Fails.',
      run: () => {
        throw new ToolError('The shop is closed.')
      },
    }),
    media: defineTool({
      description: 'Returns a block of each kind.',
      run: () => [
        image('AQID', 'image/png'),
        audio('AQID', 'audio/wav'),
        resourceLink({ uri: 'test://note', name: 'note', title: 'Note', icons }),
        embed({ uri: 'test://note', mimeType: 'text/plain', text: 'a note' }),
      ],
    }),
    query: defineTool({
      description: 'Asks a region.',
      input: z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }),
      run: ({ input }) => `asked ${input.region ?? 'everywhere'}`,
    }),
    worded: defineTool({
      description: 'Returns its own words beside the value.',
      output: z.object({ sum: z.number() }),
      run: () => reply({ sum: 3 }, 'The sum is three.'),
    }),
  },
)

const call = (name: string, input: unknown, version: LegacyVersion) =>
  askLegacy('tools/call', { name, arguments: input }, { version })
const listed = async (version: LegacyVersion) => {
  const { tools } = (await askLegacy('tools/list', {}, { version })).body.result
  return new Map<string, ReturnType<typeof JSON.parse>>(
    tools.map((tool: { name: string }) => [tool.name, tool]),
  )
}

const withStructure: readonly LegacyVersion[] = ['2025-11-25', '2025-06-18']
const withoutStructure: readonly LegacyVersion[] = ['2025-03-26', '2024-11-05']

describe('server/tools, "Listing Tools"', () => {
  const base = {
    name: 'add',
    description: 'Adds.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  }
  const title = 'Add two numbers'
  const outputSchema = {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
    additionalProperties: false,
  }
  const annotations = { readOnlyHint: true }

  test.each<[LegacyVersion, object]>([
    ['2025-11-25', { ...base, title, outputSchema, annotations, icons }],
    ['2025-06-18', { ...base, title, outputSchema, annotations }],
    ['2025-03-26', { ...base, annotations: { ...annotations, title } }],
    ['2024-11-05', base],
  ])('a tool has the members that the revision has: %s', async (version, expected) => {
    expect((await listed(version)).get('add')).toEqual(expected)
  })

  test.each(withStructure)('outputSchema MUST be for an object: %s', async (version) => {
    expect((await listed(version)).get('counted').outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'number' } } },
      required: ['result'],
    })
  })

  test.each(legacyVersions)('inputSchema MUST be a schema of an object: %s', async (version) => {
    for (const { inputSchema } of (await listed(version)).values()) {
      expect(inputSchema).toMatchObject({ type: 'object', properties: {} })
    }
  })

  test.each(legacyVersions)('the list is the same each time: %s', async (version) => {
    const texts = await Promise.all(
      Array.from({ length: 4 }, () => askLegacy('tools/list', {}, { version })),
    )
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1)
  })
})

describe('server/tools, "Calling Tools"', () => {
  test.each(legacyVersions)('a call without arguments runs the tool: %s', async (version) => {
    const { body } = await askLegacy('tools/call', { name: 'query' }, { version })
    expect(body.result).toEqual({ content: [{ type: 'text', text: 'asked everywhere' }] })
  })

  test.each(legacyVersions)('x-mcp-header needs no header: %s', async (version) => {
    const { body } = await call('query', { region: 'eu' }, version)
    expect(body.result.content[0].text).toBe('asked eu')
  })

  test('inputResponses and requestState came with 2026-07-28, and are ignored', async () => {
    const params = { name: 'query', inputResponses: null, requestState: 5 }
    const { body } = await askLegacy('tools/call', params)
    expect(body.result.content[0].text).toBe('asked everywhere')
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
describe('basic/utilities/tasks, which the server does not declare', () => {
  test('a call MUST be processed as usual, whatever its task is', async () => {
    const params = { name: 'query', task: { ttl: 60_000 } }
    const { body } = await askLegacy('tools/call', params)
    expect(body.result).toEqual({ content: [{ type: 'text', text: 'asked everywhere' }] })
  })

  test.each(['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])(
    'a method of tasks gets -32601: %s',
    async (method) => {
      const { status, body } = await askLegacy(method, { taskId: '1' })
      expect([status, body.error.code]).toEqual([200, -32601])
    },
  )
})

describe('server/tools, "Tool Result"', () => {
  test.each(withStructure)(
    'structuredContent MUST conform to the output schema, and SHOULD be repeated as text: %s',
    async (version) => {
      expect((await call('add', { a: 1, b: 2 }, version)).body.result).toEqual({
        content: [{ type: 'text', text: '{"sum":3}' }],
        structuredContent: { sum: 3 },
      })
    },
  )

  test.each(withStructure)('structuredContent MUST be an object: %s', async (version) => {
    expect((await call('counted', {}, version)).body.result).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { result: [1, 2] },
    })
  })

  test.each(withoutStructure)('before 2025-06-18 the text has the value: %s', async (version) => {
    expect((await call('add', { a: 1, b: 2 }, version)).body.result).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
    })
    const { content } = (await call('worded', {}, version)).body.result
    expect(content.map(({ text }: { text: string }) => text)).toEqual([
      'The sum is three.',
      '{"sum":3}',
    ])
  })

  test.each<[LegacyVersion, readonly string[]]>([
    ['2025-11-25', ['image', 'audio', 'resource_link', 'resource']],
    ['2025-06-18', ['image', 'audio', 'resource_link', 'resource']],
    ['2025-03-26', ['image', 'audio', 'text', 'resource']],
    ['2024-11-05', ['image', 'text', 'text', 'resource']],
  ])('content has the kinds of blocks that the revision has: %s', async (version, kinds) => {
    const { content } = (await call('media', {}, version)).body.result
    expect(content.map(({ type }: { type: string }) => type)).toEqual(kinds)
    expect(JSON.stringify(content)).toContain('test://note')
  })

  test('a link has icons since 2025-11-25', async () => {
    const [newest, older] = await Promise.all([
      call('media', {}, '2025-11-25'),
      call('media', {}, '2025-06-18'),
    ])
    expect(newest.body.result.content[2]).toHaveProperty('icons', icons)
    expect(older.body.result.content[2]).not.toHaveProperty('icons')
  })
})

describe('server/tools, "Error Handling"', () => {
  test.each(legacyVersions)('an unknown tool gets -32602: %s', async (version) => {
    const { status, body } = await call('nope', {}, version)
    expect([status, body.error.code]).toEqual([200, -32602])
  })

  test.each(legacyVersions)(
    'an error of the tool is a result with isError: %s',
    async (version) => {
      const { status, body } = await call('fail', {}, version)
      expect([status, body.result]).toEqual([
        200,
        { content: [{ type: 'text', text: 'The shop is closed.' }], isError: true },
      ])
    },
  )

  test('invalid arguments are a result that a model can read, since 2025-11-25', async () => {
    const { body } = await call('add', { a: '1' }, '2025-11-25')
    expect(body.result.isError).toBe(true)
    expect(body.result.content[0].text).toMatch(/"?a"?.*number/s)
  })

  test.each(legacyVersions.filter((version) => version !== '2025-11-25'))(
    'invalid arguments get -32602 before 2025-11-25: %s',
    async (version) => {
      const { status, body } = await call('add', { a: '1' }, version)
      expect([status, body.error.code]).toEqual([200, -32602])
      expect(body.error.message).toMatch(/"?a"?.*number/s)
    },
  )

  test('both eras run the same tool', async () => {
    const input = { a: 1, b: 2 }
    const [modern, legacy] = await Promise.all([
      ask('tools/call', { name: 'add', arguments: input }),
      call('add', input, '2025-11-25'),
    ])
    expect(modern.body.result).toMatchObject(legacy.body.result)
  })
})
