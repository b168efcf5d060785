import { expect, test } from 'vitest'
import { describeModule, toBuildContext } from '../../../../src/build/evaluation/evaluate.ts'
import { definePrompt } from '../../../../src/define/prompt.ts'
import { defineResource } from '../../../../src/define/resource.ts'
import { defineTool } from '../../../../src/define/tool.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const tool = defineTool({ description: 'Says hello.', run: () => 'hello' })

function describeExports(exports: JsonObject) {
  return describeModule(
    { file: 'tools/billing/refund.ts', name: 'billing.refund', exports },
    { limits: [], tools: [], creators: [], handles: new Set(), printOther: () => null },
  )
}

test('a default export that is a tool becomes an entry under the name of its file', () => {
  const described = describeExports({ default: tool })
  expect(described).toEqual({
    kind: 'entry',
    entry: {
      section: 'tools',
      key: 'billing.refund',
      uniqueKeys: [
        { key: 'billing.refund', why: expect.stringContaining('the name "billing.refund"') },
      ],
      file: 'tools/billing/refund.ts',
      usesJsonSchema: false,
      members: {
        name: 'billing.refund',
        listed:
          '{"name":"billing.refund","description":"Says hello.",' +
          '"inputSchema":{"type":"object","properties":{},"additionalProperties":false}}',
        headers: [],
        readOnly: false,
        cache: null,
        scopes: [],
        conceal: false,
        conditional: false,
      },
      stored: { Handles: [], Hub: [], Bridge: [] },
    },
  })
})

const plain = { type: 'object' }
const description = 'Says hello.'

test.each([
  ['the input of a tool', defineTool({ description, input: plain, run: () => 'hello' })],
  ['the output of a tool', defineTool({ description, output: plain, run: () => ({}) })],
  ['the input of a prompt', definePrompt({ description, input: plain, messages: () => 'hello' })],
  [
    'the params of a resource',
    defineResource({ uri: 'a:{b}', mime: 'text/plain', params: plain, read: () => 'hello' }),
  ],
])('an entry notes that it uses a plain JSON Schema: %s', (_, made) => {
  expect(describeExports({ default: made })).toMatchObject({ entry: { usesJsonSchema: true } })
})

test('a name in the definition overrides the name of the file', () => {
  const named = defineTool({ name: 'refund', description: 'Refunds.', run: () => 'done' })
  expect(describeExports({ default: named })).toMatchObject({ entry: { key: 'refund' } })
})

test('a module with only named exports is a helper', () => {
  expect(describeExports({ rate: 1 }).kind).toBe('helper')
})

test.each([
  ['no export', {}, 'It exports nothing.'],
  [
    'a tool that is no default export',
    { refund: tool },
    'It exports a tool as `refund`, but only a default export',
  ],
  [
    'a function',
    { default: () => 'hello' },
    'The default export was not created by Helve (expected defineTool(...)',
  ],
  [
    'a bare definition',
    { default: tool.definition },
    'The default export was not created by Helve (expected',
  ],
  [
    'null',
    { default: null },
    'The default export was not created by Helve (expected defineTool(...)',
  ],
  [
    'another kind',
    { default: { kind: 'constructor' } },
    'The default export was not created by Helve (expected',
  ],
  [
    'a tool made by hand',
    { default: { kind: 'tool' } },
    'was not created by Helve. Create it with defineTool({',
  ],
  [
    'a resource made by hand',
    { default: { kind: 'resource' } },
    'was not created by Helve. Create it with defineResource({',
  ],
  [
    'a prompt made by hand',
    { default: { kind: 'prompt' } },
    'was not created by Helve. Create it with definePrompt({',
  ],
  [
    'a handle made by hand',
    { default: { kind: 'handle' } },
    'was not created by Helve. Create it with defineHandle({',
  ],
])('refuses a module with %s', (_, exports, start) => {
  const described = describeExports(exports)
  const [problem] = described.kind === 'refused' ? described.problems : []
  expect(problem).toContain(start)
})

test('a definition that cannot be printed as JSON is refused with the message of the error', () => {
  const icons = [{ src: 'https://example.com/i.png', sizes: 1n }]
  const odd = { ...tool, definition: { ...tool.definition, icons } }
  expect(describeExports({ default: odd })).toMatchObject({
    kind: 'refused',
    problems: [expect.stringContaining('is a bigint')],
  })
})

test('finds the parameters that clients mirror into headers', () => {
  expect(describeExports({ default: regionTool('string') })).toMatchObject({
    entry: { members: { headers: [{ name: 'Region', path: ['region'] }] } },
  })
})

test('refuses a header for a type that no header can carry', () => {
  expect(describeExports({ default: regionTool('number') })).toMatchObject({
    kind: 'refused',
    problems: [expect.stringContaining('x-mcp-header')],
  })
})

function regionTool(type: string) {
  const input = { type: 'object', properties: { region: { type, 'x-mcp-header': 'Region' } } }
  return defineTool({ description: 'Asks a region.', input, run: () => 'done' })
}

test('a concealed tool is known to the build, but never named as a creator', () => {
  const open = defineTool({ description: 'Creates.', run: () => '' })
  const hidden = defineTool({
    description: 'Creates.',
    scopes: ['admin'],
    conceal: true,
    name: 'box.create',
    run: () => '',
  })
  const modules = [
    { file: 'tools/create_basket.ts', name: 'create_basket', exports: { default: open } },
    { file: 'tools/create_box.ts', name: 'create_box', exports: { default: hidden } },
  ]
  expect(toBuildContext(modules, [], () => null)).toMatchObject({
    tools: ['create_basket', 'box.create'],
    creators: ['create_basket'],
  })
})
