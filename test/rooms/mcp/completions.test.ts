import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import * as z from 'zod'
import { type Suggestions, definePrompt } from '../../../src/define/prompt.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { findMethod } from '../../../src/mcp/methods.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { ask, createCall, createSettings, type Asked } from './test-call.ts'

// server/utilities/completion

let log: MockInstance<typeof console.error>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

const cities = ['Paris', 'Porto', 'Prague', 'Berlin']
const dinner = definePrompt({
  description: 'Plans a dinner.',
  input: z.object({
    cuisine: z.enum(['Thai', 'Turkish', 'Greek']).optional(),
    city: z.string(),
    note: z.string().optional(),
  }),
  complete: {
    city: ({ value, chosen }) =>
      cities
        .filter((city) => city.startsWith(value))
        .map((city) => city + (chosen['cuisine'] ?? '')),
  },
  messages: () => 'Hi',
})
const product = defineResource({
  uri: 'shop://{shelf}/{sku}',
  mime: 'text/plain',
  complete: { sku: async ({ chosen }) => ({ values: [`${chosen['shelf']}-1`], total: 7 }) },
  read: () => 'text',
})
const catalog = defineResource({ uri: 'shop://catalog', mime: 'text/plain', read: () => 'text' })
const settings = createSettings({ dinner, product, catalog })
const prompt = { type: 'ref/prompt', name: 'dinner' }
const template = { type: 'ref/resource', uri: 'shop://{shelf}/{sku}' }

function complete(ref: unknown, argument: unknown, context?: unknown): Promise<Asked> {
  const params = { ref, argument, ...(context !== undefined && { context }) }
  return ask(settings, 'completion/complete', params)
}

describe('suggests', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject | undefined, string[], number]>([
    [
      'what a completer finds',
      prompt,
      { name: 'city', value: 'P' },
      undefined,
      ['Paris', 'Porto', 'Prague'],
      3,
    ],
    [
      'nothing where a completer finds nothing',
      prompt,
      { name: 'city', value: 'X' },
      undefined,
      [],
      0,
    ],
    [
      'by what was chosen before',
      prompt,
      { name: 'city', value: 'B' },
      { arguments: { cuisine: '!' } },
      ['Berlin!'],
      1,
    ],
    [
      'every value of an enum',
      prompt,
      { name: 'cuisine', value: '' },
      {},
      ['Thai', 'Turkish', 'Greek'],
      3,
    ],
    [
      'values of an enum whatever the case',
      prompt,
      { name: 'cuisine', value: 't' },
      undefined,
      ['Thai', 'Turkish'],
      2,
    ],
    [
      'values of an enum that begin with the text, not those that contain it',
      prompt,
      { name: 'cuisine', value: 'r' },
      undefined,
      [],
      0,
    ],
    ['nothing where nothing is known', prompt, { name: 'note', value: 'a' }, undefined, [], 0],
    [
      'nothing for a variable without a completer',
      template,
      { name: 'shelf', value: '' },
      undefined,
      [],
      0,
    ],
  ])('%s', async (_kind, ref, argument, context, values, total) => {
    const { result, cache } = await complete(ref, argument, context)
    expect(result).toEqual({ completion: { values, total, hasMore: false } })
    expect(cache).toBeUndefined()
  })

  test('for variables of a template, with a total of its own', async () => {
    const context = { arguments: { shelf: 'KN' } }
    const { result } = await complete(template, { name: 'sku', value: '' }, context)
    expect(result).toEqual({ completion: { values: ['KN-1'], total: 7, hasMore: true } })
  })

  test('by nothing that objects have by nature', async () => {
    const seen = vi.fn<(chosen: readonly string[]) => void>()
    const odd = defineResource({
      uri: 'odd://{__proto__}/{sku}',
      mime: 'text/plain',
      complete: {
        sku({ chosen }) {
          seen(Object.keys(chosen))
          return []
        },
      },
      read: () => 'text',
    })
    const ref = { type: 'ref/resource', uri: 'odd://{__proto__}/{sku}' }
    const params = { ref, argument: { name: 'sku', value: '' }, context: { arguments: {} } }
    await ask(createSettings({ odd }), 'completion/complete', params)
    expect(seen).toHaveBeenCalledExactlyOnceWith([])
  })
})

describe('refuses with -32602', () => {
  const city = { name: 'city', value: '' }
  test.each<[string, unknown, unknown, unknown?]>([
    ['an unknown prompt', { type: 'ref/prompt', name: 'lunch' }, city],
    ['a prompt that objects have by nature', { type: 'ref/prompt', name: 'constructor' }, city],
    ['an unknown template', { type: 'ref/resource', uri: 'shop://{a}' }, city],
    ['a URI that only matches a template', { type: 'ref/resource', uri: 'shop://a/b' }, city],
    ['a tool', { type: 'ref/tool', name: 'dinner' }, city],
    ['a reference without a type', { name: 'dinner' }, city],
    ['a prompt named as a resource', { type: 'ref/resource', name: 'dinner' }, city],
    ['a name of no text', { type: 'ref/prompt', name: 1 }, city],
    ['no reference', undefined, city],
    ['null for a reference', null, city],
    ['a list for a reference', [], city],
    ['an unknown argument', prompt, { name: 'town', value: '' }],
    ['an argument that objects have by nature', prompt, { name: 'constructor', value: '' }],
    ['an argument of a fixed resource', { type: 'ref/resource', uri: 'shop://catalog' }, city],
    ['no argument', prompt, undefined],
    ['an argument without a value', prompt, { name: 'city' }],
    ['a value of no text', prompt, { name: 'city', value: 1 }],
    ['a context of no object', prompt, city, []],
    ['chosen arguments of no text', prompt, city, { arguments: { cuisine: 1 } }],
    ['a list of chosen arguments', prompt, city, { arguments: [] }],
  ])('%s', async (_kind, ref, argument, context) => {
    const { error } = await complete(ref, argument, context)
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/\w+/) })
    expect(log).not.toHaveBeenCalled()
  })
})

async function suggest(suggestions: () => Suggestions): Promise<Asked> {
  const prompt = definePrompt({
    description: 'Completes.',
    input: z.object({ it: z.string() }),
    complete: { it: suggestions },
    messages: () => 'Hi',
  })
  const settings = createSettings({ prompt })
  const ref = { type: 'ref/prompt', name: 'prompt' }
  return ask(settings, 'completion/complete', { ref, argument: { name: 'it', value: '' } })
}

const many = Array.from({ length: 101 }, (_, index) => String(index))

test.each<[string, Suggestions, number, number, boolean]>([
  ['a hundred', many.slice(1), 100, 100, false],
  ['a hundred and one', many, 100, 101, true],
  ['a hundred and one of more', { values: many, total: 2_000 }, 100, 2_000, true],
  ['some of more', { values: ['a'], total: 2 }, 1, 2, true],
  ['all', { values: ['a'], total: 1 }, 1, 1, false],
  ['all without a total', { values: ['a'] }, 1, 1, false],
  ['more than their total', { values: ['a', 'b'], total: 1 }, 2, 2, false],
])('sends %s as at most a hundred', async (_kind, suggestions, length, total, hasMore) => {
  const { result } = await suggest(() => suggestions)
  expect(result).toMatchObject({ completion: { total, hasMore } })
  expect(result).toHaveProperty('completion.values.length', length)
})

test('leaves out what a database returns as null', async () => {
  const returned = { values: ['a', null, 'b'], total: null }
  const { result } = await suggest(() => JSON.parse(JSON.stringify(returned)))
  expect(result).toEqual({ completion: { values: ['a', 'b'], total: 2, hasMore: false } })
})

test('passes only the chosen values of its own arguments, without a prototype', async () => {
  const seen: object[] = []
  const prompt = definePrompt({
    description: 'Completes.',
    input: z.object({ it: z.string(), other: z.string() }),
    complete: {
      it({ chosen }) {
        seen.push(chosen)
        return []
      },
    },
    messages: () => 'Hi',
  })
  await ask(createSettings({ prompt }), 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'prompt' },
    argument: { name: 'it', value: '' },
    context: { arguments: JSON.parse('{"other":"a","more":"b","__proto__":"c"}') },
  })
  expect(seen).toEqual([{ other: 'a' }])
  expect(Object.getPrototypeOf(seen[0])).toBeNull()
})

describe('a completer that fails', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 1],
    ['numbers', [1]],
    ['a total of no number', { values: [], total: '1' }],
  ])('by returning %s leaves an error id', async (_kind, returned) => {
    const { error } = await suggest(() => JSON.parse('{}').never ?? returned)
    expect(error?.['code']).toBe(-32603)
    expect(log).toHaveBeenCalledOnce()
  })

  test('sends the message of a ToolError, and nothing else', async () => {
    const { error } = await suggest(() => {
      throw new ToolError('Type three letters first.')
    })
    expect(error).toEqual({ code: -32603, message: 'Type three letters first.' })
    const hidden = await suggest(() => {
      throw new Error('hunter2')
    })
    expect(JSON.stringify(hidden.error)).not.toContain('hunter2')
  })
})

test('does not exist on a server without suggestions', () => {
  const plain = definePrompt({
    description: 'Greets.',
    input: z.object({ name: z.string() }),
    messages: () => 'Hi',
  })
  const call = createCall(createSettings({ plain, catalog }), 'completion/complete')
  expect(findMethod(call)).toBeNull()
})
