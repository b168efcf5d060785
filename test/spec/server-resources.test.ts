import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, image } from 'helve'
import { createServer } from './server.ts'

const rows = ['ab-1', 'ab-2']
const { ask } = createServer(
  {},
  {
    notes: defineResource({
      uri: 'test://notes',
      mime: 'text/markdown',
      title: 'Notes',
      description: 'All notes.',
      size: 7,
      annotations: { audience: ['user'], priority: 0.5 },
      cache: '1m',
      shared: true,
      read: () => '# Notes',
    }),
    picture: defineResource({
      uri: 'test://picture',
      mime: 'image/png',
      read: () => new Uint8Array([1, 2, 3]),
    }),
    parts: defineResource({
      uri: 'test://folder',
      mime: 'text/plain',
      read: () => [
        { uri: 'test://folder/a', text: 'a' },
        { uri: 'test://folder/b', blob: new Uint8Array([0]), mime: 'image/gif' },
      ],
    }),
    broken: defineResource({
      uri: 'test://broken',
      mime: 'text/plain',
      read: () => Promise.reject(new Error('password=hunter2')),
    }),
    orders: defineResource({
      uri: 'test://orders/{id}',
      mime: 'application/json',
      params: z.object({ id: z.string().regex(/^ab-\d$/) }),
      complete: { id: ({ value }) => rows.filter((row) => row.startsWith(value)) },
      list: () => ({ resources: rows.map((id) => ({ uri: `test://orders/${id}`, name: id })) }),
      read: ({ params }) => (rows.includes(params.id) ? JSON.stringify({ id: params.id }) : null),
    }),
    plan: definePrompt({
      title: 'Plan a dinner',
      description: 'Plans a dinner.',
      input: z.object({
        city: z.string().describe('Where.'),
        style: z.enum(['plain', 'festive']).optional(),
      }),
      complete: { city: ({ value, chosen }) => [`${value}burg`, chosen.style ?? 'none'] },
      messages: ({ input }) => [
        `A ${input.style ?? 'plain'} dinner in ${input.city}.`,
        { role: 'assistant', content: image('AQID', 'image/png') },
      ],
    }),
    many: definePrompt({
      description: 'Has many completions.',
      input: z.object({ n: z.string() }),
      complete: { n: () => Array.from({ length: 101 }, (_, index) => `${index}`) },
      messages: () => 'x',
    }),
  },
)

const read = (uri: string) => ask('resources/read', { uri }, { headers: { 'Mcp-Name': uri } })

// https://modelcontextprotocol.io/specification/2026-07-28/server/resources
describe('resources', () => {
  test('are listed with titles, descriptions and sizes, and with the rows of templates', async () => {
    const { body } = await ask('resources/list')
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000 })
    expect(body.result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'test://broken',
      'test://folder',
      'test://notes',
      'test://picture',
      'test://orders/ab-1',
      'test://orders/ab-2',
    ])
    expect(body.result.resources[2]).toEqual({
      uri: 'test://notes',
      name: 'notes',
      title: 'Notes',
      description: 'All notes.',
      mimeType: 'text/markdown',
      size: 7,
      annotations: { audience: ['user'], priority: 0.5 },
    })
  })

  test('have templates', async () => {
    const { body } = await ask('resources/templates/list')
    expect(body.result.resourceTemplates).toEqual([
      { uriTemplate: 'test://orders/{id}', name: 'orders', mimeType: 'application/json' },
    ])
  })

  test('are read as text, as bytes and in parts', async () => {
    expect((await read('test://notes')).body.result.contents).toEqual([
      { uri: 'test://notes', mimeType: 'text/markdown', text: '# Notes' },
    ])
    expect((await read('test://picture')).body.result.contents).toEqual([
      { uri: 'test://picture', mimeType: 'image/png', blob: 'AQID' },
    ])
    expect((await read('test://folder')).body.result.contents).toEqual([
      { uri: 'test://folder/a', mimeType: 'text/plain', text: 'a' },
      { uri: 'test://folder/b', mimeType: 'image/gif', blob: 'AA==' },
    ])
    expect((await read('test://orders/ab-1')).body.result.contents[0].text).toBe('{"id":"ab-1"}')
  })

  test('have cache hints: public only if they are shared', async () => {
    const notes = await read('test://notes')
    expect(notes.body.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
    expect(notes.headers.get('Cache-Control')).toBe('public, max-age=60')
    expect((await read('test://picture')).body.result).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    })
  })

  test.each([
    'test://nothing',
    'test://orders/ab-9',
    'test://orders/x',
    'test://orders/ab-1/..',
    'test://orders/..%2fnotes',
    'test://orders/ab-1%2F',
    'test://orders/',
    'constructor',
    '',
  ])('that do not exist MUST get -32602 with their uri: "%s"', async (uri) => {
    const { body } = await read(uri)
    expect(body.error).toMatchObject({ code: -32602, data: { uri } })
  })

  test('that fail SHOULD get -32603 without the reason', async () => {
    const { body } = await read('test://broken')
    expect(body.error.code).toBe(-32603)
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })
})

// https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
describe('prompts', () => {
  const get = (name: string, input?: unknown) => ask('prompts/get', { name, arguments: input })

  test('are listed with their arguments', async () => {
    const { body } = await ask('prompts/list')
    expect(body.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
    expect(body.result.prompts[1]).toEqual({
      name: 'plan',
      title: 'Plan a dinner',
      description: 'Plans a dinner.',
      arguments: [
        { name: 'city', description: 'Where.', required: true },
        { name: 'style', required: false },
      ],
    })
  })

  test('return messages with the arguments filled in', async () => {
    expect((await get('plan', { city: 'Ulm', style: 'festive' })).body.result).toMatchObject({
      resultType: 'complete',
      description: 'Plans a dinner.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'A festive dinner in Ulm.' } },
        { role: 'assistant', content: { type: 'image', data: 'AQID', mimeType: 'image/png' } },
      ],
    })
  })

  test.each<[string, string, unknown]>([
    ['an unknown prompt', 'nope', {}],
    ['a missing argument', 'plan', {}],
    ['no arguments at all', 'plan', undefined],
    ['a wrong argument', 'plan', { city: 'Ulm', style: 'loud' }],
    ['an argument that is no text', 'plan', { city: 5 }],
    ['arguments that are no object', 'plan', []],
  ])('SHOULD be refused with -32602: %s', async (_, name, input) => {
    expect((await get(name, input)).body.error.code).toBe(-32602)
  })
})

// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
describe('completion', () => {
  const complete = (ref: object, name: string, value: string, more: object = {}) =>
    ask('completion/complete', { ref, argument: { name, value }, ...more })
  const plan = { type: 'ref/prompt', name: 'plan' }

  test('suggests values for prompt arguments, with the chosen arguments', async () => {
    const context = { arguments: { style: 'festive' } }
    const { body } = await complete(plan, 'city', 'Ham', { context })
    expect(body.result).toMatchObject({
      resultType: 'complete',
      completion: { values: ['Hamburg', 'festive'], total: 2, hasMore: false },
    })
  })

  test('suggests values for template variables', async () => {
    const { body } = await complete(
      { type: 'ref/resource', uri: 'test://orders/{id}' },
      'id',
      'ab-2',
    )
    expect(body.result.completion.values).toEqual(['ab-2'])
  })

  test('suggests the values of an enum without a completer', async () => {
    expect((await complete(plan, 'style', 'fe')).body.result.completion.values).toEqual(['festive'])
  })

  test('MUST have 100 values at most, with the total', async () => {
    const { body } = await complete({ type: 'ref/prompt', name: 'many' }, 'n', '')
    expect(body.result.completion).toMatchObject({ total: 101, hasMore: true })
    expect(body.result.completion.values).toHaveLength(100)
  })

  test.each<[string, object, string]>([
    ['an unknown prompt', { type: 'ref/prompt', name: 'nope' }, 'city'],
    ['an unknown template', { type: 'ref/resource', uri: 'test://nope/{id}' }, 'id'],
    ['an unknown argument', plan, 'nope'],
    ['a name that every object has', plan, 'constructor'],
    ['a wrong type of reference', { type: 'ref/tool', name: 'plan' }, 'city'],
    ['no reference', {}, 'city'],
  ])('SHOULD be -32602: %s', async (_, ref, name) => {
    expect((await complete(ref, name, '')).body.error.code).toBe(-32602)
  })

  test('is declared as a capability if an argument has suggestions', async () => {
    const { capabilities } = (await ask('server/discover')).body.result
    expect(Object.keys(capabilities).toSorted()).toEqual([
      'completions',
      'logging',
      'prompts',
      'resources',
    ])
    expect(
      (await createServer().ask('server/discover')).body.result.capabilities,
    ).not.toHaveProperty('completions')
  })
})
