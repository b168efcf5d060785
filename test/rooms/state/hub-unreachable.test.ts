import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type HubClient,
  type HubObject,
  createHub,
  findHubNamespace,
} from '../../../src/state/hub.ts'
import { createNotify } from '../../../src/state/notify.ts'

const listener = { lists: [], uris: [], scopes: [], until: 0, digest: 'v1' }

const broken = (): Promise<never> => Promise.reject(new Error('out of reach'))

/** A hub all of whose objects answer a listener in this way, and nothing else at all. */
function hubThat(fetch: HubObject['fetch']): HubClient {
  const object = { fetch, publish: broken, announce: broken, stateKey: broken }
  return createHub({ namespace: { getByName: () => object }, shards: 2 })
}

describe('a hub that is out of reach', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('lets nobody join', async () => {
    const hub = hubThat(() => Promise.reject(new Error('overloaded')))
    await expect(async () => hub.join(listener)).rejects.toThrow('overloaded')
  })

  test('lets nobody join when it answers with anything but a socket', async () => {
    const hub = hubThat(() => Promise.resolve(new Response(null, { status: 503 })))
    await expect(async () => hub.join(listener)).rejects.toThrow('answered 503')
  })

  test('is given up after five seconds of silence', async () => {
    const hub = hubThat(
      (_url, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const [joining] = await Promise.allSettled([
      hub.join(listener),
      vi.advanceTimersByTimeAsync(5_000),
    ])
    expect(joining).toMatchObject({ status: 'rejected', reason: new Error('The hub is silent.') })
  })

  test('fails a notification, so that its author learns of it', async () => {
    const notify = createNotify(
      () => hubThat(() => Promise.reject(new Error('overloaded'))),
      async () => {},
    )
    await expect(async () => notify.toolsChanged()).rejects.toThrow('out of reach')
    await expect(async () => notify.resourceUpdated('shop://a')).rejects.toThrow('out of reach')
  })
})

test.for([[undefined], [null], [{}], [{ Hub: String }], [{ Hub: 1 }]])(
  'a Worker that exports %j has no hub',
  ([exports]) => {
    expect(findHubNamespace(exports)).toBeNull()
  },
)
