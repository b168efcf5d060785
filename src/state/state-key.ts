import { toBase64Url } from '../util/bytes.ts'
import { readSecrets } from '../util/seal.ts'
import type { HubClient } from './hub.ts'

/** Returns the secrets of sealed state: the first one seals, all of them open. */
type StateKeySource = (env: object, hub: Pick<HubClient, 'stateKey'>) => Promise<readonly string[]>

const maxWaitMs = 1_000

/**
 * Creates the source of this isolate's keys: the secret `STATE_KEY`, or without it the hub's own
 * key, which is fetched once. While nothing changes the source returns the same array, so that
 * derived keys can be cached.
 *
 * The source throws a {@link RangeError} if a secret is too short, and the hub's own error if the
 * hub cannot be reached.
 */
export function createStateKeySource(): StateKeySource {
  const fetchHubKey = createSharedFetch<readonly string[]>(maxWaitMs)
  let read: { readonly text: string; readonly secrets: readonly string[] } | null = null

  return async (env, hub) => {
    const text: unknown = Reflect.get(env, 'STATE_KEY')
    if (typeof text !== 'string') {
      return fetchHubKey(async () => [toBase64Url(await hub.stateKey())])
    }
    if (read?.text !== text) read = { text, secrets: readSecrets(text) }
    return read.secrets
  }
}

/**
 * Creates a function that fetches a value at its first call in this isolate and keeps it. Calls
 * meanwhile wait for that fetch; after a failure the next call tries again.
 *
 * The wait is limited, and a call fetches for itself after it: a promise belongs to the request that
 * began it, and in workerd it never settles once that request's client has disconnected.
 */
export function createSharedFetch<T>(maxWaitMs: number): (fetch: () => Promise<T>) => Promise<T> {
  let fetched: { readonly value: T } | null = null
  let pending: Promise<void> | null = null

  return async (fetch) => {
    if (fetched === null && pending !== null) {
      await Promise.race([pending, scheduler.wait(maxWaitMs)])
    }
    if (fetched !== null) return fetched.value
    const fetching = fetch().then((value) => {
      fetched = { value }
      return value
    })
    // those that wait go on after a failure too, and then try for themselves
    pending = fetching.then(doNothing, doNothing)
    return fetching
  }
}

function doNothing(): void {}
