import { toBase64Url } from '../kit/base64.ts'
import { readSecrets } from '../kit/secrets.ts'
import type { HubClient } from './hub.ts'
import { createKeptValue } from './kept-value.ts'

/** Gives the secrets that seal and open state: the first one seals, all of them open. */
export type KeySource = (
  env: object,
  hub: Pick<HubClient, 'stateKey'>,
) => Promise<readonly string[]>

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
