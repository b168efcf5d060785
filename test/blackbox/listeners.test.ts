import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { callTool } from '../support/call-tool.ts'
import { everythingHosts, type Everything } from '../support/everything.ts'
import { openCall } from '../support/open-call.ts'

// machines that run other tests as well are slow at times
const soon = { timeout: 15_000 }

describe.concurrent.each(everythingHosts)('listeners of %s', (_, start) => {
  let app: Everything
  beforeAll(async () => {
    app = await start()
  }, 90_000)
  afterAll(() => app.stop())

  /** Listens for updates of these resources, and for more, from the acknowledgement on. */
  async function listen(id: string | number, uris: readonly string[], lists: object = {}) {
    const notifications = { resourceSubscriptions: uris, ...lists }
    const open = await openCall(app.endpoint, 'subscriptions/listen', { notifications }, { id })
    await vi.waitUntil(() => open.messages().length === 1, soon)
    return open
  }
  const touch = (uri: string): Promise<unknown> => callTool(app.endpoint, 'resource_touch', { uri })
  const countListeners = async (uri: string): Promise<unknown> =>
    (await callTool(app.endpoint, 'hub_listeners', { uri })).value['listeners']

  it('are removed from the hub within two keep-alives after they disconnect', async ({
    expect,
  }) => {
    const [uri] = toUris('vanish')
    const open = await Promise.all(['stays', 'goes', 'goes too'].map((id) => listen(id, [uri])))
    expect(await countListeners(uri)).toBe(3)
    open.slice(1).forEach(({ leave }) => leave())
    await expect.poll(() => countListeners(uri), { timeout: 35_000, interval: 500 }).toBe(1)
    await touch(uri)
    await vi.waitUntil(() => open[0]?.messages().length === 2, soon)
  }, 60_000)

  it('all receive every event', async ({ expect }) => {
    const uris = toUris('many', 3)
    const ids = ['one', 2, 'three', 4, 'five']
    const open = await Promise.all(ids.map((id) => listen(id, uris)))
    await Promise.all(uris.map(touch))
    await vi.waitUntil(() => open.every(({ messages }) => messages().length > 3), soon)
    for (const [index, id] of ids.entries()) {
      const updates = uris.map((uri) => toUpdate(id, uri))
      expect(open[index]?.messages().slice(1)).toHaveLength(3)
      expect(open[index]?.messages()).toEqual(expect.arrayContaining(updates))
    }
    open.forEach(({ leave }) => leave())
  })

  it('receive only what they subscribed to', async ({ expect }) => {
    const [mine, other] = toUris('mine')
    const open = await listen('mine', [mine], { promptsListChanged: true })
    await touch(other)
    await callTool(app.endpoint, 'test_trigger_tool_change')
    await callTool(app.endpoint, 'test_trigger_prompt_change')
    await touch(mine)
    await vi.waitUntil(() => open.messages().length > 2, soon)
    expect(open.messages().slice(1)).toEqual([
      expect.objectContaining({ method: 'notifications/prompts/list_changed' }),
      toUpdate('mine', mine),
    ])
    open.leave()
  })

  it('are separate, also on one connection of a client', async ({ expect }) => {
    const [first, second] = toUris('client')
    const heard: string[] = []
    const client = new Client(
      { name: 'blackbox', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    )
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri)
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(app.endpoint)))
    const one = await client.listen({ resourceSubscriptions: [first] })
    const two = await client.listen({ resourceSubscriptions: [second] })
    await touch(first)
    await touch(second)
    await expect.poll(() => heard.toSorted(), soon).toEqual([first, second].toSorted())
    await one.close()
    await touch(first)
    await touch(second)
    await expect.poll(() => heard.slice(2), soon).toEqual([second])
    await two.close()
    expect(await Promise.all([one.closed, two.closed])).toEqual(['local', 'local'])
    await client.close()
  })

  it('are ended with a result if they do not read, without an effect on others', async ({
    expect,
  }) => {
    const uris = toUris('slow', 90)
    // the id stands in every message: with a long one it takes few of them to fill every buffer
    const slow = await listen('slow'.padEnd(20_000, '.'), uris)
    const [last] = toUris('last')
    const fast = await listen('fast', [...uris, last])
    slow.pause()
    await callTool(app.endpoint, 'resource_flood', { uris, rounds: 40 })
    await touch(last)
    await expect.poll(() => fast.messages().at(-1), soon).toEqual(toUpdate('fast', last))
    await expect.poll(() => countListeners(uris[0]), soon).toBe(1)
    slow.resume()
    const messages = await slow.ended
    expect(messages.slice(-2)).toMatchObject([
      {
        method: 'notifications/cancelled',
        params: { reason: 'The stream was read too slowly. Listen again.' },
      },
      { result: { resultType: 'complete' } },
    ])
    expect(messages.length).toBeLessThan(fast.messages().length)
    fast.leave()
  }, 60_000)
})

/** The URIs of two or more resources that no other test listens for. */
function toUris(test: string, count = 2): readonly [string, string, ...string[]] {
  const toUri = (index: number): string => `test://template/${test}-${index}/data`
  return [toUri(0), toUri(1), ...Array.from({ length: count - 2 }, (_, index) => toUri(index + 2))]
}

function toUpdate(id: string | number, uri: string): object {
  const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, uri }
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params }
}
