import { exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { audio, definePrompt, defineResource, defineTool } from 'helve'
import { type LegacyVersion, legacyVersions } from '../support/legacy-request.ts'
import { readEvents } from '../support/sse-events.ts'
import { createServer, url } from './server.ts'

const icons = [{ src: 'https://mcp.example.com/icon.png' }]
const { worker, askLegacy, initialize, fetch } = createServer(
  {},
  {
    notes: defineResource({
      uri: 'test://notes',
      mime: 'text/markdown',
      title: 'Notes',
      description: 'All notes.',
      icons,
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
    broken: defineResource({
      uri: 'test://broken',
      mime: 'text/plain',
      read: () => Promise.reject(new Error('password=hunter2')),
    }),
    orders: defineResource({
      uri: 'test://orders/{id}',
      title: 'Orders',
      mime: 'application/json',
      params: z.object({ id: z.string().regex(/^ab-\d$/) }),
      list: () => ({ resources: [{ uri: 'test://orders/ab-1', name: 'one', title: 'One' }] }),
      read: ({ params }) => (params.id === 'ab-1' ? '{}' : null),
    }),
    plan: definePrompt({
      title: 'Plan a dinner',
      description: 'Plans a dinner.',
      icons,
      input: z.object({ city: z.string().describe('Where.') }),
      messages: ({ input }) => [
        `A dinner in ${input.city}.`,
        { role: 'assistant', content: audio('AQID', 'audio/wav') },
      ],
    }),
    faulty: definePrompt({
      description: 'Fails.',
      messages: () => Promise.reject(new Error('password=hunter2')),
    }),
    hello: defineTool({ description: 'Says hello.', run: () => 'hello' }),
  },
)
const notify = worker.notify(exports)

const read = (uri: unknown, version?: LegacyVersion) =>
  askLegacy('resources/read', { uri }, version === undefined ? {} : { version })

// https://modelcontextprotocol.io/specification/2025-11-25/server/resources
describe('server/resources', () => {
  const base = {
    uri: 'test://notes',
    name: 'notes',
    description: 'All notes.',
    mimeType: 'text/markdown',
    annotations: { audience: ['user'], priority: 0.5 },
    size: 7,
  }

  test.each<[LegacyVersion, object]>([
    ['2025-11-25', { ...base, title: 'Notes', icons }],
    ['2025-06-18', { ...base, title: 'Notes' }],
    ['2025-03-26', base],
    ['2024-11-05', base],
  ])('resources/list has the members that the revision has: %s', async (version, expected) => {
    const { resources } = (await askLegacy('resources/list', {}, { version })).body.result
    const listed = resources.find(({ uri }: { uri: string }) => uri === 'test://notes')
    expect(listed).toEqual(expected)
    const row = resources.find(({ name }: { name: string }) => name === 'one')
    expect('title' in row).toBe('title' in expected)
  })

  test.each<[LegacyVersion, boolean]>([
    ['2025-11-25', true],
    ['2025-03-26', false],
  ])('resources/templates/list, with a title since 2025-06-18: %s', async (version, hasTitle) => {
    const { body } = await askLegacy('resources/templates/list', {}, { version })
    expect(body.result.resourceTemplates).toEqual([
      {
        uriTemplate: 'test://orders/{id}',
        name: 'orders',
        mimeType: 'application/json',
        ...(hasTitle && { title: 'Orders' }),
      },
    ])
  })

  test.each(legacyVersions)('resources/read returns contents: %s', async (version) => {
    expect((await read('test://notes', version)).body.result).toEqual({
      contents: [{ uri: 'test://notes', mimeType: 'text/markdown', text: '# Notes' }],
    })
    expect((await read('test://orders/ab-1', version)).body.result.contents).toHaveLength(1)
  })

  test('binary data MUST be properly encoded', async () => {
    const { contents } = (await read('test://picture')).body.result
    expect(contents).toEqual([{ uri: 'test://picture', mimeType: 'image/png', blob: 'AQID' }])
  })

  test.each(legacyVersions)(
    'a resource that does not exist SHOULD get -32002: %s',
    async (version) => {
      const { status, body } = await read('test://nothing', version)
      expect([status, body.error.code]).toEqual([200, -32002])
      expect(body.error.data).toEqual({ uri: 'test://nothing' })
    },
  )

  test.each(['test://orders/zz', 'test://orders/ab-2', 'https://elsewhere.example/'])(
    'so SHOULD one that a template does not have: %s',
    async (uri) => {
      expect((await read(uri)).body.error.code).toBe(-32002)
    },
  )

  test.each([undefined, null, 5, ''])('URIs MUST be validated: %j', async (uri) => {
    const { status, body } = await read(uri)
    expect(status).toBe(200)
    expect([-32602, -32002]).toContain(body.error.code)
  })

  test('an internal error SHOULD get -32603', async () => {
    const { status, body, text } = await read('test://broken')
    expect([status, body.error.code]).toEqual([200, -32603])
    expect(text).not.toContain('hunter2')
  })
})

describe('server/resources, "Subscriptions"', () => {
  const listen = async (session: string) =>
    readEvents(
      await fetch(
        new Request(url, { headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': session } }),
      ),
    )

  test.each(legacyVersions)(
    'subscribe and unsubscribe return an empty result: %s',
    async (version) => {
      const session = await initialize(version)
      const changes = { version, session }
      const uri = 'test://notes'
      expect((await askLegacy('resources/subscribe', { uri }, changes)).body.result).toEqual({})
      expect((await askLegacy('resources/unsubscribe', { uri }, changes)).body.result).toEqual({})
    },
  )

  test('an update is sent to the sessions that subscribed, and to no others', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    await askLegacy('resources/subscribe', { uri: 'test://notes' }, { session })
    await askLegacy('resources/subscribe', { uri: 'test://picture' }, { session: other })
    const [mine, others] = await Promise.all([listen(session), listen(other)])
    await notify.resourceUpdated('test://notes')
    await notify.resourceUpdated('test://picture')
    const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated' }
    expect(await mine.nextMessage()).toEqual({ ...updated, params: { uri: 'test://notes' } })
    expect(await others.nextMessage()).toEqual({ ...updated, params: { uri: 'test://picture' } })
    await Promise.all([mine.leave(), others.leave()])
  })

  test('a list that changed SHOULD be announced', async () => {
    const { nextMessage, leave } = await listen(await initialize())
    await notify.resourcesChanged()
    expect(await nextMessage()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/list_changed',
    })
    await leave()
  })

  test('a URI of no resource SHOULD get -32002', async () => {
    const session = await initialize()
    const { status, body } = await askLegacy(
      'resources/subscribe',
      { uri: 'test://nothing' },
      { session },
    )
    expect([status, body.error.code]).toEqual([200, -32002])
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
describe('server/prompts', () => {
  const base = {
    name: 'plan',
    description: 'Plans a dinner.',
    arguments: [{ name: 'city', description: 'Where.', required: true }],
  }
  const get = (name: unknown, args: unknown, version?: LegacyVersion) =>
    askLegacy('prompts/get', { name, arguments: args }, version === undefined ? {} : { version })

  test.each<[LegacyVersion, object]>([
    ['2025-11-25', { ...base, title: 'Plan a dinner', icons }],
    ['2025-06-18', { ...base, title: 'Plan a dinner' }],
    ['2025-03-26', base],
    ['2024-11-05', base],
  ])('prompts/list has the members that the revision has: %s', async (version, expected) => {
    const { prompts } = (await askLegacy('prompts/list', {}, { version })).body.result
    expect(prompts[1]).toEqual(expected)
  })

  test.each<[LegacyVersion, string]>([
    ['2025-11-25', 'audio'],
    ['2025-06-18', 'audio'],
    ['2025-03-26', 'audio'],
    ['2024-11-05', 'text'],
  ])('prompts/get returns messages, with audio since 2025-03-26: %s', async (version, type) => {
    expect((await get('plan', { city: 'Ulm' }, version)).body.result).toMatchObject({
      description: 'Plans a dinner.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'A dinner in Ulm.' } },
        { role: 'assistant', content: { type } },
      ],
    })
  })

  test.each<[string, string, unknown, number]>([
    ['an unknown prompt', 'nope', {}, -32602],
    ['a missing argument', 'plan', {}, -32602],
    ['an argument that is not a text', 'plan', { city: 5 }, -32602],
    ['an internal error', 'faulty', {}, -32603],
  ])('SHOULD get an error: %s', async (_, name, args, code) => {
    const { status, body, text } = await get(name, args)
    expect([status, body.error.code]).toEqual([200, code])
    expect(text).not.toContain('hunter2')
  })
})
