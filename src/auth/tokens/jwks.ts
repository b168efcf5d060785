import type { JSONWebKeySet } from 'jose'
import { type LocalJWKSet, createLocalJWKSet } from 'jose/jwks/local'
import type { AuthContext } from '../../define/authenticator.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { toMessage } from './fetch-json.ts'

/** Milliseconds for which keys are used without a fetch, and so for which a withdrawn key works. */
const maxAgeMs = 600_000
/** Milliseconds between two fetches, whatever key ids are made up; shorter while there are no keys. */
const pauseMs = 30_000
const pauseWithoutKeysMs = 1_000
/** Milliseconds that a request waits for a fetch; the fetch itself times out earlier. */
const patienceMs = 5_000

type JwksContext = Pick<AuthContext, 'ctx' | 'log'>

/**
 * Keeps the key set of an issuer (JWKS, RFC 7517) in the isolate. All requests that wait share one
 * fetch; while fetches fail, the previous keys stay in use.
 */
export class JwksCache {
  readonly #fetchJwks: () => Promise<JsonObject>
  #keys: { readonly set: LocalJWKSet; readonly fetchedAt: number } | null = null
  #failure: unknown = 'The first fetch has not ended.'
  #fetching: Promise<void> | null = null
  #startedAt = -Infinity

  constructor(fetchJwks: () => Promise<JsonObject>) {
    this.#fetchJwks = fetchJwks
  }

  /**
   * Returns the keys, which are fetched if there are none or if they are old.
   *
   * @throws {Error} if there are no keys and they cannot be fetched.
   */
  async get(context: JwksContext): Promise<LocalJWKSet> {
    const isFresh = this.#keys !== null && Date.now() - this.#keys.fetchedAt <= maxAgeMs
    if (!isFresh) await this.#refresh(context)
    return this.#take()
  }

  /** Returns the keys after another fetch, unless the last one is too recent: for an unknown key id. */
  async getRefreshed(context: JwksContext): Promise<LocalJWKSet> {
    await this.#refresh(context)
    return this.#take()
  }

  async #refresh(context: JwksContext): Promise<void> {
    const pause = this.#keys === null ? pauseWithoutKeysMs : pauseMs
    const age = Date.now() - this.#startedAt
    // in workerd a promise belongs to the request that created it, and never settles once that request
    // is torn down: `waitUntil` lets it outlive its client, and other requests wait only so long
    if (this.#fetching === null || age > patienceMs) {
      if (age < pause) return
      this.#startedAt = Date.now()
      this.#fetching = this.#fetch(context)
      context.ctx.waitUntil(this.#fetching)
    }
    await Promise.race([this.#fetching, scheduler.wait(patienceMs)])
  }

  async #fetch({ log }: JwksContext): Promise<void> {
    try {
      this.#keys = { set: toKeySet(await this.#fetchJwks()), fetchedAt: Date.now() }
    } catch (error) {
      this.#failure = error
      // without keys the requests that wait fail, and the failure is logged for each of them
      if (this.#keys !== null) {
        const detail =
          'The keys of the issuer could not be refreshed. The previous keys stay in use.'
        log.warn('authentication', detail, error)
      }
    }
    this.#fetching = null
  }

  #take(): LocalJWKSet {
    if (this.#keys !== null) return this.#keys.set
    throw new Error(
      `Tokens cannot be verified without the keys of the issuer. ${toMessage(this.#failure)}`,
      { cause: this.#failure },
    )
  }
}

function toKeySet(json: JsonObject): LocalJWKSet {
  if (isKeySet(json)) return createLocalJWKSet(json)
  throw new Error('The key set of the issuer has no array `keys` of objects (RFC 7517, 5).')
}

function isKeySet(json: JsonObject): json is JsonObject & JSONWebKeySet {
  return Array.isArray(json['keys']) && json['keys'].every(isJsonObject)
}
