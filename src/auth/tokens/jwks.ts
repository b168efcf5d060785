import type { JWK } from 'jose'
import { type LocalJWKSet, createLocalJWKSet } from 'jose/jwks/local'
import type { AuthContext } from '../../define/authenticator.ts'
import { type JsonObject, isJsonObject, isTextList } from '../../protocol/json.ts'
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
      const set = await toKeySet(await this.#fetchJwks(), log)
      this.#keys = { set, fetchedAt: Date.now() }
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

/**
 * Returns the keys that can verify a token. One that is broken must not stop the others: it is skipped,
 * and the log names it.
 *
 * @throws {Error} if there is no list of keys, or if all of them are broken.
 */
async function toKeySet({ keys }: JsonObject, log: JwksContext['log']): Promise<LocalJWKSet> {
  if (!Array.isArray(keys)) {
    throw new Error('The key set of the issuer has no array `keys` (RFC 7517, 5).')
  }
  const usable: JWK[] = []
  const problems: string[] = []
  const published: readonly unknown[] = keys
  for (const [index, key] of published.entries()) {
    if (isForAnotherUse(key)) continue
    // oxlint-disable-next-line no-await-in-loop -- few keys, every ten minutes
    const problem = await findProblem(key)
    if (problem !== null) problems.push(`${toKeyName(key, index)} ${problem}`)
    else if (isJwk(key)) usable.push(key)
  }
  if (problems.length > 0) {
    const skipped =
      `The issuer publishes ${published.length} keys, of which ${problems.length} cannot be used: ` +
      problems.slice(0, maxProblems).join(' ')
    if (usable.length === 0) throw new Error(skipped)
    log.warn('authentication', `${skipped} Tokens that are signed with them are refused.`)
  }
  return createLocalJWKSet({ keys: usable })
}

/** How many broken keys a log line names. */
const maxProblems = 5

function toKeyName(key: unknown, index: number): string {
  const kid = isJsonObject(key) ? key['kid'] : undefined
  const name = typeof kid === 'string' ? ` (${JSON.stringify(kid.slice(0, 100))})` : ''
  return `Key ${index + 1}${name}`
}

const signature = /^(?:[RP]S|ES)(?:256|384|512)$|^Ed(?:DSA|25519)$/

/** Key sets may also have keys for encryption, and for algorithms that are not accepted here. */
function isForAnotherUse(key: unknown): boolean {
  if (!isJsonObject(key)) return false
  const { use = 'sig', alg = 'ES256', key_ops: uses = ['verify'] } = key
  return (
    (typeof use === 'string' && use !== 'sig') ||
    (typeof alg === 'string' && !signature.test(alg)) ||
    (isTextList(uses) && !uses.includes('verify'))
  )
}

/** The members that only private keys and shared secrets have (RFC 7518, 6). */
const secretMembers = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'priv']

const algorithmOf = new Map<unknown, string>([
  ['RSA', 'RS256'],
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
  ['Ed25519', 'EdDSA'],
])

async function findProblem(key: unknown): Promise<string | null> {
  if (!isJwk(key)) return 'is not an object with a text `kty`.'
  if (secretMembers.some((member) => Object.hasOwn(key, member))) {
    return 'is a private key or a shared secret, which must not be published.'
  }
  const alg = key.alg ?? algorithmOf.get(key.kty === 'RSA' ? 'RSA' : key.crv)
  if (alg === undefined) return 'has an unknown `kty` or `crv`.'
  try {
    await createLocalJWKSet({ keys: [key] })({ alg })
    return null
  } catch (error) {
    return `cannot be imported: ${toMessage(error)}`
  }
}

function isJwk(key: unknown): key is JWK & { readonly kty: string } {
  return isJsonObject(key) && typeof key['kty'] === 'string'
}
