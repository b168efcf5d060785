import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type HubClient,
  type HubObject,
  createHub,
  findHubNamespace,
} from '../../../src/state/hub.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { createNotify } from '../../../src/state/notify.ts'

const listener = { lists: [], uris: [], scopes: [], until: 0, digest: 'v1' }

const owner = { digest: 'ann', most: 64 }

const broken = (): Promise<never> => Promise.reject(new Error('out of reach'))

/** A hub whose objects respond to listeners in this way, and fail every other call. */
function hubThat(fetch: HubObject['fetch']): HubClient {
  const object: HubObject = {
    fetch,
    publish: broken,
    announce: broken,
    stateKey: broken,
    updateSession: broken,
    endSession: broken,
  }
  return createHub({ namespace: { getByName: () => object }, shards: 2 })
}

describe('a hub that cannot be reached', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('lets no listener join', async () => {
    const hub = hubThat(() => Promise.reject(new Error('overloaded')))
    await expect(async () => hub.join(listener, owner)).rejects.toThrow('overloaded')
  })

  test('lets no listener join when its response has no socket', async () => {
    const hub = hubThat(() => Promise.resolve(new Response(null, { status: 503 })))
    await expect(async () => hub.join(listener, owner)).rejects.toThrow(
      'refused a listener with status 503',
    )
  })

  test('is given up after five seconds without a response', async () => {
    const hub = hubThat(
      (_url, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const [joining] = await Promise.allSettled([
      hub.join(listener, owner),
      vi.advanceTimersByTimeAsync(5_000),
    ])
    expect(joining).toMatchObject({
      status: 'rejected',
      reason: new Error('The hub did not respond within 5 seconds.'),
    })
  })

  test('fails a notification, so that the code of the author sees the error', async () => {
    const notify = createNotify({
      hub: () => hubThat(() => Promise.reject(new Error('overloaded'))),
      purge: async () => {},
      toResourceKey: (uri) => uri,
      log: () => new WorkerLog(createSanitizer([])),
    })
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
