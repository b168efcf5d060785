import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AskedInput, type ClientOptions, createClient } from 'helve/client'
import { everythingHosts, type Everything } from '../support/everything.ts'
import { validate } from '../support/official-schema.ts'

/** The definition of each request in the official schema. */
const definitions: Readonly<Record<string, string>> = {
  'server/discover': 'DiscoverRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
  'completion/complete': 'CompleteRequest',
  'subscriptions/listen': 'SubscriptionsListenRequest',
}

const sent = new Set<string>()
const problems: string[] = []

/** Holds each request to the official schema, as the black-box tests hold each response to it. */
async function watch(request: Request): Promise<Response> {
  const message = JSON.parse(await request.clone().text())
  sent.add(message.method)
  problems.push(...validate('2026-07-28', definitions[message.method] ?? 'nothing', message))
  return fetch(request)
}

/** A user who agrees to everything. */
function agree(asked: AskedInput) {
  if (asked.kind === 'url') return 'accept'
  if (asked.kind === 'roots') return [{ uri: 'file:///work', name: 'Work' }]
  if (asked.kind === 'sampling') return 'I am a model.'
  const fields = Object.entries(asked.schema.properties).map(([name, { type, ...others }]) => {
    if (Array.isArray(others['enum'])) return [name, others['enum'][0]]
    return [name, type === 'boolean' ? true : type === 'string' ? 'ada' : 1]
  })
  return Object.fromEntries(fields)
}

describe.each(everythingHosts)('helve/client with %s', (_, start) => {
  let app: Everything
  beforeAll(async () => {
    app = await start()
  }, 90_000)
  afterAll(() => app.stop())
  const check = (): void => expect(problems.splice(0)).toEqual([])
  afterEach(check)

  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: app.endpoint, fetch: watch, ...options })

  it('discovers, lists, reads, prompts and completes', async () => {
    const client = connect()
    expect(await client.discover()).toMatchObject({ supportedVersions: expect.any(Array) })
    expect((await client.listTools()).length).toBeGreaterThan(40)
    expect((await client.listResources()).map(({ uri }) => uri)).toContain('test://static-text')
    expect(await client.listResourceTemplates()).toContainEqual(
      expect.objectContaining({ uriTemplate: 'test://template/{id}/data' }),
    )
    expect((await client.listPrompts()).length).toBeGreaterThan(3)
    const { contents } = await client.readResource('test://template/a%20b/data')
    expect(contents).toMatchObject([{ text: expect.stringContaining('Data for ID') }])
    const args = { arg1: 'one', arg2: 'two' }
    const { messages } = await client.getPrompt('test_prompt_with_arguments', args)
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
    const target = { prompt: 'test_prompt_with_arguments' }
    const argument = { name: 'arg1', value: 'par' }
    expect(await client.complete(target, argument, { context: { arg2: 'x' } })).toMatchObject({
      values: ['paris', 'park', 'party'],
    })
    const template = { template: 'test://template/{id}/data' }
    expect(await client.complete(template, { name: 'id', value: '1' })).toEqual({
      values: [],
      total: 0,
      hasMore: false,
    })
  })

  it.each([
    'test_elicitation_sep1034_defaults',
    'test_elicitation_sep1330_enums',
    'test_input_required_result_elicitation',
    'test_input_required_result_list_roots',
    'test_input_required_result_multiple_inputs',
    'test_input_required_result_request_state',
    'test_input_required_result_sampling',
    'open_page',
  ])('answers what %s asks', async (name) => {
    const client = connect({
      answers: (asked) => (name.endsWith('request_state') ? { ok: true } : agree(asked)),
    })
    expect((await client.callTool(name)).content).not.toEqual([])
  })

  it('hears progress and log messages before the result', async () => {
    const heard: unknown[] = []
    const client = connect()
    const result = await client.callTool(
      'test_tool_with_progress',
      {},
      { onProgress: ({ progress }) => heard.push(progress) },
    )
    expect(heard).toEqual([0, 50, 100])
    expect(result.isError).toBeUndefined()
    await client.callTool('test_tool_with_logging', {}, { onLog: ({ level }) => heard.push(level) })
    expect(heard.slice(3)).toEqual(['info', 'info', 'info'])
  })

  it.each(['wait_until_aborted', 'emit_until_aborted'])(
    'cancels %s by closing the connection',
    async (name) => {
      const key = crypto.randomUUID()
      const client = connect()
      const controller = new AbortController()
      const call = client.callTool(name, { key }, { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('Enough.')), 1_000)
      await expect(call).rejects.toThrow('Enough.')
      await vi.waitFor(
        async () => {
          const { structuredContent } = await client.callTool('was_aborted', { key })
          expect(structuredContent).toEqual({ reason: expect.stringContaining('client') })
        },
        { timeout: 15_000, interval: 100 },
      )
    },
  )

  it('listens to updates of a resource', async () => {
    const uri = 'test://watched-resource'
    const client = connect()
    const heard: unknown[] = []
    for await (const notified of client.listen({ resourceSubscriptions: [uri] })) {
      heard.push(notified)
      if (notified.kind === 'resourceUpdated') break
      await client.callTool('resource_touch', { uri })
    }
    expect(heard).toEqual([
      { kind: 'acknowledged', notifications: { resourceSubscriptions: [uri] } },
      { kind: 'resourceUpdated', uri },
    ])
  })

  it('has sent every kind of request', () => {
    expect([...sent].toSorted()).toEqual(Object.keys(definitions).toSorted())
  })
})
