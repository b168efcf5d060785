import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { everythingHosts, type Everything } from '../support/everything.ts'
import { connectV1 } from '../support/v1-client.ts'

describe.each(everythingHosts)('version 1 of the official client and %s', (_, start) => {
  let app: Everything
  beforeAll(async () => {
    app = await start()
  }, 90_000)
  afterAll(() => app.stop())

  it.each([
    ['text', 'test_simple_text', ['text']],
    ['an image', 'test_image_content', ['image']],
    ['audio', 'test_audio_content', ['audio']],
    ['a resource', 'test_embedded_resource', ['resource']],
    ['several blocks', 'test_multiple_content_types', ['text', 'image', 'resource']],
  ])('receives %s', async (_, name, types) => {
    const { client } = await connectV1(app.endpoint)
    const { content } = await client.callTool({ name, arguments: {} })
    expect(content).toMatchObject(types.map((type) => ({ type })))
  })

  it('receives progress', async () => {
    const { client } = await connectV1(app.endpoint)
    const progress: unknown[] = []
    const call = { name: 'test_tool_with_progress', arguments: {} }
    await client.callTool(call, undefined, { onprogress: (step) => progress.push(step) })
    expect(progress).toEqual([0, 50, 100].map((progress) => ({ progress, total: 100 })))
  })

  it('receives log messages from the level on that it sets', async () => {
    const { client, heard } = await connectV1(app.endpoint)
    const call = { name: 'test_logging_tool', arguments: {} }
    await client.callTool(call)
    expect(heard).toEqual([])
    await client.setLoggingLevel('error')
    await client.callTool(call)
    expect(heard).toEqual([expect.stringMatching(/^notifications\/message error: /)])
  })

  it('stops a call', async () => {
    const { client } = await connectV1(app.endpoint)
    const abort = new AbortController()
    const key = crypto.randomUUID()
    const params = { name: 'wait_until_aborted', arguments: { key } }
    const call = client.callTool(params, undefined, { signal: abort.signal })
    setTimeout(() => abort.abort(), 300)
    await expect(call).rejects.toThrow('abort')
    const reason = async (): Promise<unknown> =>
      (await client.callTool({ name: 'was_aborted', arguments: { key } })).structuredContent
    await expect.poll(reason).toEqual({ reason: expect.any(String) })
  })

  it('hears of changes', async () => {
    const { client, heard, listening } = await connectV1(app.endpoint)
    const uri = 'test://watched-resource'
    await listening
    await client.subscribeResource({ uri })
    await vi.waitUntil(async () => {
      await client.callTool({ name: 'resource_touch', arguments: { uri } })
      return heard.includes(`notifications/resources/updated ${uri}`)
    })
    await client.callTool({ name: 'test_trigger_tool_change', arguments: {} })
    await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} })
    await expect.poll(() => heard).toContain('notifications/tools/list_changed')
    await expect.poll(() => heard).toContain('notifications/prompts/list_changed')
  })

  it.each([
    ['a form', 'test_streaming_elicitation', { sampling: {}, roots: {} }, 'elicitation'],
    ['a link', 'open_page', { elicitation: { form: {} } }, 'elicitation.url'],
    ['a message', 'test_input_required_result_sampling', { roots: {} }, 'sampling'],
    ['roots', 'test_input_required_result_list_roots', { elicitation: {} }, 'roots'],
  ])(
    'is told what it lacks when it would be asked for %s',
    async (_, name, capabilities, lacking) => {
      const { client, asked } = await connectV1(app.endpoint, { capabilities })
      expect(await client.callTool({ name, arguments: {} })).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining(lacking) }],
      })
      expect(asked).toEqual([])
    },
  )
})
