import { expect, test } from 'vitest'
import type { Notified } from '../../../src/client/client.ts'
import { createScripted, toEvent, toStream } from './scripted-server.ts'

const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 }

function notify(method: string, params: object = {}): string {
  return toEvent({ method: `notifications/${method}`, params: { _meta, ...params } })
}

const acknowledged = notify('subscriptions/acknowledged', {
  notifications: { toolsListChanged: true },
})
const ended = toEvent({ id: 1, result: { resultType: 'complete', _meta } })

async function collect(notified: AsyncIterable<Notified>): Promise<readonly Notified[]> {
  const all: Notified[] = []
  for await (const one of notified) all.push(one)
  return all
}

test('notifications of the subscription are heard until the server ends it', async () => {
  const { client, seen } = createScripted(() =>
    toStream([
      acknowledged,
      notify('tools/list_changed'),
      notify('resources/updated', { uri: 'shop://tea' }),
      notify('tools/list_changed', { _meta: { 'io.modelcontextprotocol/subscriptionId': '1' } }),
      notify('tools/list_changed', { _meta: undefined }),
      notify('resources/list_changed'),
      notify('prompts/list_changed'),
      notify('something/else'),
      ended,
    ]),
  )
  const filter = { toolsListChanged: true, resourceSubscriptions: ['shop://tea'] }
  expect(await collect(client.listen(filter))).toEqual([
    { kind: 'acknowledged', notifications: { toolsListChanged: true } },
    { kind: 'toolsChanged' },
    { kind: 'resourceUpdated', uri: 'shop://tea' },
    { kind: 'resourcesChanged' },
    { kind: 'promptsChanged' },
  ])
  expect(seen[0]?.body).toMatchObject({
    method: 'subscriptions/listen',
    params: { notifications: filter },
  })
})

test.each([
  ['without an acknowledgement', [notify('tools/list_changed')]],
  ['with two acknowledgements', [acknowledged, acknowledged]],
  ['with an acknowledgement of nothing', [notify('subscriptions/acknowledged')]],
])('a subscription %s is an error', async (_, events) => {
  const { client } = createScripted(() => toStream([...events, ended]))
  await expect(collect(client.listen({}))).rejects.toMatchObject({ reason: 'invalid' })
})

test('a connection that breaks is an error, so that one can listen again', async () => {
  const { client } = createScripted(() => toStream([acknowledged]))
  await expect(collect(client.listen({}))).rejects.toMatchObject({ reason: 'unreachable' })
})

test('leaving the loop closes the connection', async () => {
  let isClosed = false
  const { client } = createScripted(() => toStream([acknowledged], () => void (isClosed = true)))
  for await (const { kind } of client.listen({})) {
    expect(kind).toBe('acknowledged')
    break
  }
  await expect.poll(() => isClosed).toBe(true)
})

test('a signal ends the loop with its reason, and closes the connection', async () => {
  let isClosed = false
  const controller = new AbortController()
  const { client } = createScripted(() => toStream([acknowledged], () => void (isClosed = true)))
  const heard = client.listen({}, { signal: controller.signal })
  await heard.next()
  const next = heard.next()
  controller.abort(new Error('Enough.'))
  await expect(next).rejects.toThrow('Enough.')
  await expect.poll(() => isClosed).toBe(true)
})
