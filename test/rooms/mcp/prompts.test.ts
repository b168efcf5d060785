import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import * as z from 'zod'
import { ToolError, audio, embed, image, resourceLink, text } from '../../../src/define/reply.ts'
import { definePrompt, type Messages } from '../../../src/define/prompt.ts'
import { findMethod } from '../../../src/mcp/methods.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { ask, createCall, createSettings, replyTo, toLogText, type Asked } from './test-call.ts'

// server/prompts, "Listing Prompts", "Getting a Prompt" and "Error Handling"

let log: MockInstance<typeof console.error>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

const dinner = definePrompt({
  description: 'Plans a dinner.',
  input: z.object({
    cuisine: z.enum(['thai', 'greek']),
    guests: z.coerce.number().int().min(1).default(2),
  }),
  messages: ({ input }) => `Plan a ${input.cuisine} dinner for ${input.guests}.`,
})
const hello = definePrompt({ description: 'Greets.', messages: () => 'Hello' })
const settings = createSettings({ hello, dinner })

function get(
  messages: () => Messages | Promise<Messages>,
  maxResultBytes = 100_000,
): Promise<Asked> {
  const prompt = definePrompt({ description: 'Speaks.', messages })
  return ask(createSettings({ prompt }, { maxResultBytes }), 'prompts/get', { name: 'prompt' })
}

test('lists prompts sorted by name, for all callers', async () => {
  const { result, cache } = await ask(settings, 'prompts/list')
  expect(result).toEqual({
    prompts: [
      {
        name: 'dinner',
        description: 'Plans a dinner.',
        arguments: [
          { name: 'cuisine', required: true },
          { name: 'guests', required: false },
        ],
      },
      { name: 'hello', description: 'Greets.' },
    ],
    ttlMs: 300_000,
    cacheScope: 'public',
  })
  expect(cache).toEqual({ ttlMs: 300_000, cacheScope: 'public' })
})

test('lists in pages', async () => {
  const paged = createSettings({ hello, dinner }, { page: 1 })
  const { result } = await ask(paged, 'prompts/list')
  const cursor = result?.['nextCursor']
  const last = await ask(paged, 'prompts/list', { cursor })
  expect([result, last.result].map((page) => page?.['prompts'])).toMatchObject([
    [{ name: 'dinner' }],
    [{ name: 'hello' }],
  ])
  expect(last.result).not.toHaveProperty('nextCursor')
})

test('fills a prompt in, text as its schema makes it', async () => {
  const asked = { name: 'dinner', arguments: { cuisine: 'thai', guests: '4' } }
  expect(await ask(settings, 'prompts/get', asked)).toEqual({
    result: {
      description: 'Plans a dinner.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Plan a thai dinner for 4.' } }],
    },
  })
})

test('treats a prompt without arguments as one with empty arguments', async () => {
  const { result } = await ask(settings, 'prompts/get', { name: 'hello' })
  expect(result).toMatchObject({ messages: [{ content: { text: 'Hello' } }] })
})

describe('refuses with -32602', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['an unknown prompt', { name: 'lunch' }, /Unknown prompt: lunch/],
    ['a prompt that objects have by nature', { name: 'constructor' }, /Unknown prompt/],
    ['a prompt that objects have by nature', { name: '__proto__' }, /Unknown prompt/],
    ['no name', {}, /params.name must be a string/],
    ['a name of no text', { name: { toString: 1 } }, /params.name must be a string/],
    ['a missing argument', { name: 'dinner', arguments: {} }, /cuisine/],
    ['no arguments where one is needed', { name: 'dinner' }, /cuisine/],
    ['a wrong argument', { name: 'dinner', arguments: { cuisine: 'dutch' } }, /cuisine.*thai/],
    ['two wrong arguments', { name: 'dinner', arguments: { guests: '0' } }, /cuisine.*guests/s],
    ['a number', { name: 'dinner', arguments: { cuisine: 'thai', guests: 4 } }, /strings/],
    ['a list of arguments', { name: 'dinner', arguments: ['thai'] }, /must be an object/],
    ['null for arguments', { name: 'dinner', arguments: null }, /must be an object/],
  ])('%s', async (_kind, params, message) => {
    const { error } = await ask(settings, 'prompts/get', params)
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) })
    expect(log).not.toHaveBeenCalled()
  })
})

function say(text: string): JsonObject {
  return { type: 'text', text }
}

describe('messages', () => {
  const link = resourceLink({ uri: 'a:b', name: 'b' })
  test.each<[string, Messages, readonly JsonObject[]]>([
    ['text is the user speaking', 'Hi', [{ role: 'user', content: say('Hi') }]],
    [
      'one message',
      { role: 'assistant', content: 'Hi' },
      [{ role: 'assistant', content: say('Hi') }],
    ],
    [
      'a conversation',
      ['Hi', { role: 'assistant', content: 'Yes?' }, { role: 'user', content: text('Tea.') }],
      [
        { role: 'user', content: say('Hi') },
        { role: 'assistant', content: say('Yes?') },
        { role: 'user', content: say('Tea.') },
      ],
    ],
    [
      'several contents are several messages',
      { role: 'user', content: ['Look:', image('SGk=', 'image/png', { priority: 1 }), link] },
      [
        { role: 'user', content: say('Look:') },
        {
          role: 'user',
          content: {
            type: 'image',
            data: 'SGk=',
            mimeType: 'image/png',
            annotations: { priority: 1 },
          },
        },
        { role: 'user', content: { type: 'resource_link', uri: 'a:b', name: 'b' } },
      ],
    ],
    [
      'audio and embedded resources',
      {
        role: 'user',
        content: [audio('SGk=', 'audio/wav'), embed({ uri: 'a:b', text: 'Hi' })],
      },
      [
        { role: 'user', content: { type: 'audio', data: 'SGk=', mimeType: 'audio/wav' } },
        { role: 'user', content: { type: 'resource', resource: { uri: 'a:b', text: 'Hi' } } },
      ],
    ],
  ])('%s', async (_kind, returned, messages) => {
    const { result } = await get(async () => returned)
    expect(result).toEqual({ description: 'Speaks.', messages })
  })

  test('of a database have members that are null, which are left out', async () => {
    const content = { ...link, title: null, annotations: null }
    const { result } = await get(() => JSON.parse(JSON.stringify({ role: 'user', content })))
    expect(result?.['messages']).toEqual([{ role: 'user', content: link }])
  })

  test('that clients would refuse are named in the log', async () => {
    const content = { type: 'image', data: 'a.png', mimeType: 'image/png' }
    const { error } = await get(() => JSON.parse(JSON.stringify({ role: 'user', content })))
    expect(error?.['code']).toBe(-32603)
    expect(toLogText(log.mock.calls)).toContain(
      '`messages of prompt: content.data` is "a.png", which is not Base64.',
    )
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 1],
    ['a message of the system', { role: 'system', content: 'Hi' }],
    ['a message without content', { role: 'user' }],
    ['a content of an unknown type', { role: 'user', content: { type: 'video' } }],
    ['a list with null in it', [null]],
    ['contents in contents', { role: 'user', content: [['Hi']] }],
  ])('that are %s fail with an error id', async (_kind, returned) => {
    const { error } = await get(() => JSON.parse('{}').never ?? returned)
    expect(error?.['code']).toBe(-32603)
    expect(toLogText(log.mock.calls)).toContain('prompt returned a message')
  })
})

describe('a prompt that fails', () => {
  test('sends only an error id', async () => {
    const { error } = await get(() => {
      throw new Error('hunter2')
    })
    expect(error?.['code']).toBe(-32603)
    expect(JSON.stringify(error)).not.toContain('hunter2')
    expect(toLogText(log.mock.calls)).toContain('hunter2')
  })

  test('sends the message of a ToolError', async () => {
    const { error } = await get(() => {
      throw new ToolError('There is no menu today.')
    })
    expect(error).toEqual({ code: -32603, message: 'There is no menu today.' })
  })

  test('says that it is too large', async () => {
    const { error } = await get(() => 'x'.repeat(2_000), 1_000)
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('1000 bytes') })
  })
})

test('messages are sent without secrets and hidden characters, in every kind of content', async () => {
  const text = 'hid\u202Eden hunter2-Xq8LmZ4v'
  const prompt = definePrompt({
    description: 'Speaks.',
    messages: () => [
      text,
      {
        role: 'assistant',
        content: [embed({ uri: 'a:b', text }), resourceLink({ uri: 'a:b', name: text })],
      },
    ],
  })
  const env = { API_KEY: 'hunter2-Xq8LmZ4v' }
  const params = { name: 'prompt' }
  const reply = await replyTo(
    createCall(createSettings({ prompt }), 'prompts/get', params, { env }),
  )
  const clean = 'hidden [secret]'
  expect(JSON.parse(reply).result.messages).toMatchObject([
    { content: { text: clean } },
    { content: { resource: { text: clean } } },
    { content: { name: clean } },
  ])
})

test('a server without prompts has no methods for them', () => {
  const settings = createSettings()
  for (const method of ['prompts/list', 'prompts/get']) {
    expect(findMethod({ method, revision: null, settings })).toBeNull()
  }
})
