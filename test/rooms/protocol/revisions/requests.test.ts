import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { form, link } from '../../../../src/define/elicitation.ts'
import { roots, sample } from '../../../../src/define/sampling.ts'
import type { InputRequest } from '../../../../src/protocol/input-request.ts'
import type { Revision } from '../../../../src/protocol/revisions/revision.ts'
import { findRevision, legacyRevisions } from '../../../../src/protocol/revisions/revisions.ts'
import { findMessageProblems, isOfficialRevision } from '../../../support/official-schema.ts'

function revisionOf(version: string): Revision {
  const revision = findRevision(version)
  if (revision === null) throw new Error(`There is no revision ${version}.`)
  return revision
}

function findProblems({ version }: Revision, message: object): readonly string[] {
  if (!isOfficialRevision(version)) throw new Error(`There is no schema of ${version}.`)
  return findMessageProblems({ jsonrpc: '2.0', ...message }, '', version)
}

const byVersion = legacyRevisions.map((revision) => [revision.version, revision] as const)
const annotations = { priority: 1, lastModified: '2026-01-01T00:00:00Z' }
const said = { type: 'text', text: 'Hello', annotations, _meta: { a: 1 } } as const
const heard = { type: 'audio', data: 'AQID', mimeType: 'audio/wav' } as const
const use = { type: 'tool_use', id: '1', name: 'a', input: {} } as const
const used = { type: 'tool_result', toolUseId: '1', content: [], structuredContent: [1] } as const
const inputSchema = { type: 'object', properties: { any: true } } as const
const user = 'user' as const
const assistant = 'assistant' as const

const simple = z.object({
  name: z.string().min(1).max(9).default('a').describe('Your name.'),
  mail: z.email().meta({ title: 'Mail' }),
  count: z.int().min(1).default(2),
  share: z.number().optional(),
  sure: z.boolean().default(true),
  size: z.enum(['S', 'M']).default('S'),
  color: z.union([z.literal('r').meta({ title: 'Red' }), z.literal('g').meta({ title: 'Green' })]),
})
const several = z.object({ sizes: z.array(z.enum(['S', 'M'])) })

const asked = {
  'a form': form('Who?', simple).request,
  'an empty form': form('Sure?', z.object({})).request,
  'a form with several choices': form('Which?', several).request,
  'a link': link('Pay there.', 'https://a.example/pay').request,
  sampling: sample({
    messages: [
      { role: user, content: said },
      { role: assistant, content: [said, said] },
    ],
    maxTokens: 10,
    temperature: 0.5,
    includeContext: 'none',
    modelPreferences: { hints: [{ name: 'a' }] },
    metadata: { a: 1 },
  }).request,
  audio: sample({ messages: [{ role: user, content: [said, heard] }], maxTokens: 1 }).request,
  'tools for the model': sample({
    messages: [{ role: user, content: said }],
    maxTokens: 1,
    tools: [{ name: 'a', inputSchema, outputSchema: { type: 'array' } }],
    toolChoice: { mode: 'auto' },
  }).request,
  'results of tools': sample({
    messages: [
      { role: assistant, content: [use] },
      { role: user, content: [used] },
    ],
    maxTokens: 1,
  }).request,
  roots: roots().request,
} as const satisfies Record<string, InputRequest>

const all = Object.keys(asked)
const withoutForms = ['sampling', 'audio', 'roots']
test.each([
  ['2025-11-25', all],
  ['2025-06-18', ['a form', 'an empty form', ...withoutForms]],
  ['2025-03-26', withoutForms],
  ['2024-11-05', ['sampling', 'roots']],
])('%s can ask for %j, by its schema', (version, names) => {
  const revision = revisionOf(version)
  const converted = Object.entries(asked).map(([name, request]) => ({
    name,
    sent: revision.toClientRequest(request, 'q1'),
  }))
  const sendable = converted.filter(({ sent }) => sent !== null)
  expect(sendable.map(({ name }) => name)).toEqual(names)
  for (const { sent } of sendable) {
    const problems = findProblems(revision, { id: 'q1', ...sent })
    expect({ sent, problems }).toEqual({ sent, problems: [] })
  }
})

describe('forms', () => {
  test('of 2025-11-25 are as they are', () => {
    const request = asked['a form']
    expect(revisionOf('2025-11-25').toClientRequest(request, 'q1')).toEqual(request)
  })

  test('of 2025-06-18 have defaults of booleans alone, and titles in enumNames', () => {
    const sent = revisionOf('2025-06-18').toClientRequest(asked['a form'], 'q1')
    expect(sent).toEqual({
      method: 'elicitation/create',
      params: {
        message: 'Who?',
        requestedSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 9, description: 'Your name.' },
            mail: { type: 'string', format: 'email', title: 'Mail' },
            count: { type: 'integer', minimum: 1 },
            share: { type: 'number' },
            sure: { type: 'boolean', default: true },
            size: { type: 'string', enum: ['S', 'M'] },
            color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
          },
          required: ['mail', 'color'],
        },
      },
    })
  })
})

test('a link of 2025-11-25 has the id of its question', () => {
  expect(revisionOf('2025-11-25').toClientRequest(asked['a link'], 'q1')).toEqual({
    method: 'elicitation/create',
    params: {
      mode: 'url',
      message: 'Pay there.',
      url: 'https://a.example/pay',
      elicitationId: 'q1',
    },
  })
})

test('before 2025-11-25 a message to the model has one block', () => {
  const text = { type: 'text', text: 'Hello', annotations: { priority: 1 } }
  for (const version of ['2025-03-26', '2024-11-05']) {
    expect(revisionOf(version).toClientRequest(asked.sampling, 'q1')).toMatchObject({
      params: {
        messages: [
          { role: user, content: text },
          { role: assistant, content: text },
          { role: assistant, content: text },
        ],
      },
    })
  }
})

const everything = {
  elicitation: { form: { applyDefaults: true }, url: {} },
  sampling: { tools: {}, context: { a: 1 } },
  roots: { listChanged: true },
  experimental: { a: {} },
  extensions: { a: {} },
  tasks: { list: {} },
}

test.each([
  [
    '2025-11-25',
    everything,
    { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
  ],
  ['2025-11-25', { elicitation: {} }, { elicitation: { form: {} } }],
  ['2025-11-25', { elicitation: { url: {} } }, { elicitation: { url: {} } }],
  ['2025-11-25', { elicitation: true, sampling: [], roots: null }, {}],
  ['2025-11-25', { sampling: { tools: true } }, { sampling: {} }],
  ['2025-06-18', everything, { elicitation: { form: {} }, sampling: { context: {} }, roots: {} }],
  ['2025-06-18', { elicitation: {} }, { elicitation: { form: {} } }],
  ['2025-06-18', { sampling: {} }, { sampling: { context: {} } }],
  ['2025-06-18', { sampling: true }, {}],
  ['2025-03-26', everything, { sampling: { context: {} }, roots: {} }],
  ['2024-11-05', everything, { sampling: { context: {} }, roots: {} }],
])('a client of %s that declares %j can do %j', (version, declared, read) => {
  expect(revisionOf(version).readClientCapabilities(declared)).toEqual(read)
})

const info = {
  name: 'a',
  version: '1',
  title: 'A',
  description: 'It.',
  websiteUrl: 'https://a.example',
  icons: [{ src: 'data:,' }],
}
const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
  logging: {},
  extensions: { 'a.example/a': {} },
}

test.each([
  ['2025-11-25', ['description', 'icons', 'name', 'title', 'version', 'websiteUrl'], true],
  ['2025-06-18', ['name', 'title', 'version'], true],
  ['2025-03-26', ['name', 'version'], true],
  ['2024-11-05', ['name', 'version'], false],
])('a server of %s has %j', (version, keys, completes) => {
  const revision = revisionOf(version)
  const result = {
    protocolVersion: version,
    capabilities: revision.toServerCapabilities(capabilities),
    serverInfo: revision.toServerInfo(info),
  }
  expect(Object.keys(result.serverInfo).toSorted()).toEqual(keys)
  expect('completions' in result.capabilities).toBe(completes)
  expect(result.capabilities).toMatchObject({ tools: { listChanged: true }, logging: {} })
  if (!isOfficialRevision(version)) throw new Error(`There is no schema of ${version}.`)
  const message = { jsonrpc: '2.0', id: 1, result }
  expect(findMessageProblems(message, 'initialize', version)).toEqual([])
})

const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 }
const progress = { progressToken: 1, progress: 0.5, total: 1, message: 'Half.' }

test.each(byVersion)('in %s notifications are those of its schema', (version, revision) => {
  for (const notification of [
    { method: 'notifications/tools/list_changed', params: { _meta } },
    { method: 'notifications/prompts/list_changed' },
    { method: 'notifications/resources/updated', params: { uri: 'shop://a', _meta } },
    { method: 'notifications/message', params: { level: 'info', logger: 'a', data: { a: 1 } } },
    { method: 'notifications/progress', params: progress },
  ]) {
    const sent = revision.toNotification(notification)
    const problems = findProblems(revision, sent)
    expect({ sent, problems }).toEqual({ sent, problems: [] })
    expect(JSON.stringify(sent)).not.toContain('subscriptionId')
  }
  const sent = revision.toNotification({ method: 'notifications/progress', params: progress })
  expect('message' in (sent.params ?? {})).toBe(version !== '2024-11-05')
})

test('revisions differ in batches, priming and errors of arguments', () => {
  const facts = legacyRevisions.map(({ hasBatches, hasPriming, inputErrors }) => [
    hasBatches,
    hasPriming,
    inputErrors,
  ])
  expect(facts).toEqual([
    [false, true, 'result'],
    [false, false, 'error'],
    [true, false, 'error'],
    [false, false, 'error'],
  ])
})
