import { expect, test } from 'vitest'
import { describeModule } from '../../../src/build/evaluation/evaluate.ts'
import { findHidden, toPrintable } from '../../../src/build/hidden.ts'
import { definePrompt } from '../../../src/define/prompt.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

test.each<[string, readonly string[]]>([
  ['plain, ü, 日本, 👩‍💻, 🏴󠁧󠁢󠁥󠁮󠁧󠁿, می‌خواهم\n\t', []],
  ['a\u200Bb', ['U+200B']],
  ['a\u{E0041}\u{E0042}\u200B', ['U+E0041', 'U+E0042', 'U+200B']],
  ['\u001B[31mred', ['U+001B']],
  ['a\u202Eb', ['U+202E']],
  ['a\rb', ['U+000D']],
  ['a\uD800b', ['U+D800']],
  ['\uFEFFa', ['U+FEFF']],
])('%j has the hidden characters %j', (text, names) => {
  expect(findHidden(text)).toEqual(names)
})

test('a printable text shows hidden characters by name', () => {
  expect(toPrintable('tools/a\n\u200B"ü.ts')).toBe('tools/a<U+000A><U+200B>"ü.ts')
})

const hidden = 'a\u200Bb'
const description = 'Fine.'
const run = (): string => ''
const read = run
const input = (property: JsonObject, key = 'a'): JsonObject => ({
  type: 'object',
  properties: { [key]: property },
})

test.each([
  ['title', defineTool({ title: hidden, description, run })],
  ['description', defineTool({ description: hidden, run })],
  [
    'inputSchema.properties.a.description',
    defineTool({ description, input: input({ type: 'string', description: hidden }), run }),
  ],
  [
    'inputSchema.properties.a.enum.1',
    defineTool({ description, input: input({ enum: ['a', hidden] }), run }),
  ],
  [
    'inputSchema.properties.a<U+200B>b',
    defineTool({ description, input: input({ type: 'string' }, hidden), run }),
  ],
  [
    'outputSchema.properties.a.title',
    defineTool({ description, output: input({ title: hidden }), run: () => ({}) }),
  ],
  ['description', defineResource({ uri: 'a:b', mime: 'text/plain', description: hidden, read })],
  ['name', defineResource({ name: hidden, uri: 'a:b', mime: 'text/plain', read })],
  [
    'arguments.0.description',
    definePrompt({
      description,
      input: input({ type: 'string', description: hidden }),
      messages: run,
    }),
  ],
])('refuses hidden characters in %s', (path, exported) => {
  const described = describeModule(
    { file: 'tools/a.ts', name: 'a', exports: { default: exported } },
    { limits: [], tools: [], creators: [], handles: new Set(), printOther: () => null },
  )
  expect(described).toEqual({
    kind: 'refused',
    file: 'tools/a.ts',
    problems: [
      `\`${path}\` has hidden characters, which people do not see and models obey: U+200B. ` +
        'Remove them.',
    ],
  })
})
