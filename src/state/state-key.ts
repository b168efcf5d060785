import { toBase64Url } from '../util/bytes.ts'
import { readSecrets } from '../util/seal.ts'
import type { HubClient } from './hub.ts'

/** Gives the secrets that seal and open state: the first one seals, all of them open. */
type KeySource = (env: object, hub: Pick<HubClient, 'stateKey'>) => Promise<readonly string[]>

const patienceMs = 1_000

/**
 * Makes the source of this isolate's keys: the secret `STATE_KEY`, or with none set the key that the
 * hub made for itself, which is fetched once. While nothing changes it gives the same array, so that
 * what is made of the keys can be kept too.
 *
 * The source throws a {@link RangeError} that says what to do when a secret is too short, and
 * whatever the hub's call threw when that cannot be reached.
 */
export function createKeySource(): KeySource {
  const keepHubKey = createKeptValue<readonly string[]>(patienceMs)
  let read: { readonly text: string; readonly secrets: readonly string[] } | null = null

  return async (env, hub) => {
    const text: unknown = Reflect.get(env, 'STATE_KEY')
    if (typeof text !== 'string') {
      return keepHubKey(async () => [toBase64Url(await hub.stateKey())])
    }
    if (read?.text !== text) read = { text, secrets: readSecrets(text) }
    return read.secrets
  }
}

/**
 * Makes a function that fetches a value at its first call in this isolate and keeps it. Calls
 * meanwhile wait for that fetch; after a failure the next call tries again.
 *
 * The wait has an end, after which a call fetches for itself: a promise belongs to the request that
 * began it, and in workerd it never settles once that request's client has gone.
 */
export function createKeptValue<T>(patienceMs: number): (fetch: () => Promise<T>) => Promise<T> {
  let kept: { readonly value: T } | null = null
  let pending: Promise<void> | null = null

  return async (fetch) => {
    if (kept === null && pending !== null) await Promise.race([pending, scheduler.wait(patienceMs)])
    if (kept !== null) return kept.value
    const fetching = fetch().then((value) => {
      kept = { value }
      return value
    })
    pending = fetching.then(nothing, nothing)
    return fetching
  }
}

// who waits goes on after a failure too, and then tries for itself
function nothing(): void {}
