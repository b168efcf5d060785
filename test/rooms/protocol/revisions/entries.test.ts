/* oxlint-disable import/default -- the text of a file, which Vite exports */
import { expect, test } from 'vitest'
import example from '../../../../.helve/registry.ts?raw'
import everything from '../../../everything/.helve/registry.ts?raw'
import guarded from '../../../guarded/.helve/registry.ts?raw'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import type { ListName, Revision } from '../../../../src/protocol/revisions/revision.ts'
import { legacyRevisions } from '../../../../src/protocol/revisions/revisions.ts'
import { isOfficialRevision, validate } from '../../../support/official-schema.ts'

const definitions = {
  tools: 'Tool',
  prompts: 'Prompt',
  resources: 'Resource',
  resourceTemplates: 'ResourceTemplate',
} as const

function findProblems({ version }: Revision, list: ListName, entry: JsonObject): readonly string[] {
  if (!isOfficialRevision(version)) throw new Error(`There is no schema of ${version}.`)
  return validate(version, definitions[list], entry)
}

const icons = [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }]
const _meta = { 'example.com/key': 1 }
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' }
const common = { name: 'rich', title: 'Rich', description: 'Has everything.', icons, _meta }

const richTool = {
  ...common,
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      any: true,
      none: false,
      a: { $ref: '#/$defs/a' },
      more: { type: 'object', properties: { any: true } },
    },
    required: ['any'],
    $defs: { a: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['more'] }],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { any: true, no: false }, required: ['any'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const rich: readonly (readonly [ListName, JsonObject])[] = [
  ['tools', richTool],
  ['tools', { ...richTool, outputSchema: { type: 'array', items: { $ref: '#' } } }],
  ['tools', { ...richTool, outputSchema: { type: ['object', 'null'], properties: { a: true } } }],
  ['tools', { name: 'plain', inputSchema: { type: 'object' } }],
  ['prompts', { ...common, arguments: [{ name: 'a', title: 'A', description: 'It.' }] }],
  ['prompts', { name: 'plain' }],
  ['resources', { ...common, uri: 'shop://a', mimeType: 'text/plain', size: 1, annotations }],
  ['resourceTemplates', { ...common, uriTemplate: 'shop://{a}', mimeType: 'a/b', annotations }],
]

/** What the build has written, of servers that are not all made for the bindings of this test. */
const listed = [example, everything, guarded].flatMap((source) =>
  [...source.matchAll(/^ +listed: '(.*)',$/gm)].map(([, text = '']) => {
    const entry: JsonObject = JSON.parse(text.replaceAll(/\\(.)/g, '$1'))
    return [toListName(entry), entry] as const
  }),
)

function toListName(entry: JsonObject): ListName {
  if ('inputSchema' in entry) return 'tools'
  if ('uriTemplate' in entry) return 'resourceTemplates'
  return 'uri' in entry ? 'resources' : 'prompts'
}

const byVersion = legacyRevisions.map((revision) => [revision.version, revision] as const)

test.each(byVersion)('in %s every entry of a list is one of its schema', (_, revision) => {
  expect(listed.length).toBeGreaterThan(80)
  for (const [list, entry] of [...listed, ...rich]) {
    const converted = revision.toListed(list, entry)
    const problems = findProblems(revision, list, converted)
    expect({ converted, problems }).toEqual({ converted, problems: [] })
  }
})

test('in 2025-11-25 an entry without unusual schemas is listed as it is', () => {
  const [newest] = legacyRevisions
  for (const [list, entry] of listed) expect(newest?.toListed(list, entry)).toEqual(entry)
})

test.each<readonly [string, ListName, JsonObject, readonly string[]]>([
  [
    '2025-11-25',
    'tools',
    richTool,
    [
      '_meta',
      'annotations',
      'description',
      'icons',
      'inputSchema',
      'name',
      'outputSchema',
      'title',
    ],
  ],
  [
    '2025-06-18',
    'tools',
    richTool,
    ['_meta', 'annotations', 'description', 'inputSchema', 'name', 'outputSchema', 'title'],
  ],
  ['2025-03-26', 'tools', richTool, ['annotations', 'description', 'inputSchema', 'name']],
  ['2024-11-05', 'tools', richTool, ['description', 'inputSchema', 'name']],
])('in %s an entry of %s keeps what the revision has', (version, list, entry, keys) => {
  const revision = legacyRevisions.find((one) => one.version === version)
  expect(Object.keys(revision?.toListed(list, entry) ?? {}).toSorted()).toEqual(keys)
})

test('in 2025-03-26 the title of a tool is one of its annotations', () => {
  const revision = legacyRevisions.find(({ version }) => version === '2025-03-26')
  expect(revision?.toListed('tools', richTool)['annotations']).toEqual({
    title: 'Rich',
    readOnlyHint: true,
    openWorldHint: false,
  })
})

test('boolean schemas of properties become objects, and everything else stays', () => {
  for (const revision of legacyRevisions) {
    expect(revision.toListed('tools', richTool)['inputSchema']).toEqual({
      ...richTool.inputSchema,
      properties: { ...richTool.inputSchema.properties, any: {}, none: { not: {} } },
    })
  }
})
