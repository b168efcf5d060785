import { describe, expect, test } from 'vitest'
import { audio, image, reply } from '../../../../src/define/reply.ts'
import { defineTool } from '../../../../src/define/tool.ts'
import { serializeResult } from '../../../../src/mcp/tool-result.ts'
import { toMembers } from '../../../../src/protocol/outcome.ts'
import { convertResult } from '../../../../src/protocol/revisions/convert-result.ts'
import type { Revision } from '../../../../src/protocol/revisions/revision.ts'
import { findRevision, legacyRevisions } from '../../../../src/protocol/revisions/revisions.ts'
import { findMessageProblems, isOfficialRevision } from '../../../support/official-schema.ts'
import { createCall } from '../../mcp/test-call.ts'
import '../../../../src/schema/json-schema/register.ts'

const byVersion = legacyRevisions.map((revision) => [revision.version, revision] as const)

function revisionOf(version: string): Revision {
  const revision = findRevision(version)
  if (revision === null) throw new Error(`There is no revision ${version}.`)
  return revision
}

/** Converts a result, and returns it with what the schema of the revision says about it. */
function convert(revision: Revision, method: string, result: object) {
  const { version } = revision
  const text = `{${convertResult(method, toMembers(result), revision)}}`
  const converted: ReturnType<typeof JSON.parse> = JSON.parse(text)
  const message = { jsonrpc: '2.0', id: 1, result: converted }
  if (!isOfficialRevision(version)) throw new Error(`There is no schema of ${version}.`)
  return { converted, problems: findMessageProblems(message, method, version) }
}

const icons = [{ src: 'https://a.example/i.png', theme: 'dark' }]
const _meta = { 'example.com/key': 1 }
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' }
const shared = { annotations, _meta }
const text = { type: 'text', text: 'Hello, "icons":', ...shared }
const link = { type: 'resource_link', uri: 'shop://a', name: 'a', title: 'A', size: 1, icons }
const contents = [
  { uri: 'shop://a', mimeType: 'text/plain', text: 'hello', _meta },
  { uri: 'shop://b', mimeType: 'image/png', blob: 'AQID', _meta },
]
const blocks = [
  text,
  { type: 'image', data: 'AQID', mimeType: 'image/png', ...shared },
  { type: 'audio', data: 'AQID', mimeType: 'audio/wav', ...shared },
  { ...link, ...shared },
  ...contents.map((resource) => ({ type: 'resource', resource, ...shared })),
]
const values = [{ a: [1, { icons, title: 'x', structuredContent: [1] }] }, {}, [1], 'text', 0, null]
const row = { uri: 'shop://a', name: 'a', title: 'A', mimeType: 'a/b', size: 2, icons, ...shared }

const results: readonly (readonly [string, object])[] = [
  ['tools/call', { content: blocks }],
  ['tools/call', { content: [] }],
  ['tools/call', { content: [{ type: 'text', text: 'It failed.' }], isError: true }],
  ...values.map((value): [string, object] => [
    'tools/call',
    { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value },
  ]),
  ...values.map((value): [string, object] => [
    'tools/call',
    { content: blocks, structuredContent: value },
  ]),
  ['prompts/get', { messages: blocks.map((content) => ({ role: 'user', content })) }],
  ['prompts/get', { description: 'A prompt.', messages: [] }],
  ['resources/read', { contents }],
  ['resources/list', { resources: [row, { uri: 'shop://b', name: 'b' }], nextCursor: 'c' }],
  ['resources/list', { resources: [] }],
  ['completion/complete', { completion: { values: ['"icons":'], total: 1, hasMore: false } }],
]

test.each(byVersion)('in %s every result is one of its schema', (_, revision) => {
  for (const [method, result] of results) {
    const { converted, problems } = convert(revision, method, result)
    expect({ converted, problems }).toEqual({ converted, problems: [] })
  }
})

test.each(byVersion)('in %s a converted result is not converted again', (_, revision) => {
  for (const [method, result] of results) {
    const once = convertResult(method, toMembers(result), revision)
    expect(convertResult(method, once, revision)).toBe(once)
  }
})

test('in 2025-11-25 only structured values that are not objects change', () => {
  for (const [method, result] of results) {
    const members = toMembers(result)
    const value: unknown = Reflect.get(result, 'structuredContent')
    const isWrapped =
      value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))
    const structuredContent = isWrapped ? { result: value } : value
    const expected = isWrapped ? toMembers({ ...result, structuredContent }) : members
    expect(convertResult(method, members, revisionOf('2025-11-25'))).toBe(expected)
  }
})

test('lists are printed for a revision, so they are not converted here', () => {
  const members = toMembers({ tools: [{ name: 'a', title: 'A', icons }] })
  for (const revision of legacyRevisions) {
    for (const method of ['tools/list', 'prompts/list', 'resources/templates/list']) {
      expect(convertResult(method, members, revision)).toBe(members)
    }
  }
})

describe('blocks that a revision lacks', () => {
  const plain = { audience: ['user'], priority: 0.5 }
  test.each([
    ['2025-11-25', blocks],
    ['2025-06-18', blocks.map(({ ...block }) => ('icons' in block ? omitIcons(block) : block))],
  ])('%s has all of them', (version, expected) => {
    const { converted } = convert(revisionOf(version), 'tools/call', { content: blocks })
    expect(converted.content).toEqual(expected)
  })

  test('2025-03-26 has the URI of a linked resource as text', () => {
    const { converted } = convert(revisionOf('2025-03-26'), 'tools/call', { content: blocks })
    expect(converted.content).toEqual([
      { type: 'text', text: 'Hello, "icons":', annotations: plain },
      { type: 'image', data: 'AQID', mimeType: 'image/png', annotations: plain },
      { type: 'audio', data: 'AQID', mimeType: 'audio/wav', annotations: plain },
      { type: 'text', text: 'a: shop://a', annotations: plain },
      {
        type: 'resource',
        resource: { uri: 'shop://a', mimeType: 'text/plain', text: 'hello' },
        annotations: plain,
      },
      {
        type: 'resource',
        resource: { uri: 'shop://b', mimeType: 'image/png', blob: 'AQID' },
        annotations: plain,
      },
    ])
  })

  test('2024-11-05 says that audio was left out', () => {
    const { converted } = convert(revisionOf('2024-11-05'), 'tools/call', { content: blocks })
    expect(converted.content[2]).toEqual({
      type: 'text',
      text: 'Audio (audio/wav) was left out: it is not part of protocol revision 2024-11-05.',
      annotations: plain,
    })
  })
})

function omitIcons(block: object): object {
  return { ...block, icons: undefined }
}

describe('structured values', () => {
  const schema = { type: 'object', properties: { n: {} } } as const
  const tool = defineTool({ description: 'Returns it.', output: schema, run: () => ({}) })

  /** The members of the result of a tool, as the server prints them. */
  async function print(value: unknown): Promise<string> {
    const { sanitizer } = createCall()
    const { members } = await serializeResult(tool, value, {
      name: 'a',
      sanitizer,
      maxBytes: 100_000,
    })
    return members
  }

  test('are sent as text alone to clients that know no others', async () => {
    const members = await print({ n: 1 })
    for (const version of ['2025-03-26', '2024-11-05']) {
      const text = convertResult('tools/call', members, revisionOf(version))
      expect(text).toBe('"content":[{"type":"text","text":"{\\"n\\":1}"}]')
    }
  })

  test("are sent beside an author's own text, which such clients would have alone", async () => {
    const members = await print(reply({ n: 1 }, 'There is one.'))
    const { converted } = convert(
      revisionOf('2025-03-26'),
      'tools/call',
      JSON.parse(`{${members}}`),
    )
    expect(converted).toEqual({
      content: [
        { type: 'text', text: 'There is one.' },
        { type: 'text', text: '{"n":1}' },
      ],
    })
  })

  test('are sent once where there are other blocks', async () => {
    const value = reply({ n: 1 }, image('AQID', 'image/png'), audio('AQID', 'audio/wav'))
    const members = await print(value)
    const text = convertResult('tools/call', members, revisionOf('2024-11-05'))
    expect(text.match(/\\"n\\":1/g)).toHaveLength(1)
  })

  test('keep all digits of their numbers', async () => {
    const digits = '12345678901234567890'
    const list = `"content":[{"type":"text","text":"[${digits}]"}],"structuredContent":[${digits}]`
    for (const version of ['2025-11-25', '2025-06-18']) {
      const text = convertResult('tools/call', list, revisionOf(version))
      expect(text).toContain(`"structuredContent":{"result":[${digits}]}`)
    }
    const own = `"content":[{"type":"text","text":"own"}],"structuredContent":{"n":${digits}}`
    expect(convertResult('tools/call', own, revisionOf('2025-03-26'))).toContain(
      `{\\"n\\":${digits}}`,
    )
    const icon = `"content":[${JSON.stringify(link)}],"structuredContent":{"n":${digits}}`
    expect(convertResult('tools/call', icon, revisionOf('2025-06-18'))).toContain(`{"n":${digits}}`)
  })

  test('are objects where a text looks like the end of a result', async () => {
    const text = '"}],"structuredContent":[1],"'
    for (const version of ['2025-11-25', '2025-06-18']) {
      const members = toMembers({ content: [{ type: 'text', text }], structuredContent: { text } })
      expect(convertResult('tools/call', members, revisionOf(version))).toBe(members)
    }
  })
})

test('only known versions are found', () => {
  expect(legacyRevisions.map(({ version }) => version)).toEqual([
    '2025-11-25',
    '2025-06-18',
    '2025-03-26',
    '2024-11-05',
  ])
  for (const version of ['2026-07-28', '2024-10-07', '', 'toString']) {
    expect(findRevision(version)).toBeNull()
  }
})
