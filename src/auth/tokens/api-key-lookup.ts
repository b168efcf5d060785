import type { AuthContext, AuthResult } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import { isJsonObject, isTextList } from '../../protocol/json.ts'
import { isName, readCaller } from '../request/guard.ts'
import { AskedTokens } from './asked-tokens.ts'
import { readWorkerSecret } from './credentials.ts'
import { type ScopeHierarchy, expandScopes } from './scopes.ts'

interface ApiKey {
  readonly digest: Uint8Array
  readonly caller: Caller
}

export class ApiKeySecret {
  readonly #name: string
  readonly #scopes: ScopeHierarchy
  #parsed: { readonly text: string; readonly keys: readonly ApiKey[] } | null = null

  constructor(name: string, scopes: ScopeHierarchy) {
    this.#name = name
    this.#scopes = scopes
  }

  /**
   * Authenticates the caller of a key, by the digest of the key.
   *
   * @throws {Error} if the secret is missing, or one of its entries is invalid.
   */
  find(env: object, digest: Uint8Array): AuthResult {
    const text = readWorkerSecret(env, this.#name)
    if (this.#parsed?.text !== text) {
      this.#parsed = { text, keys: readApiKeys(this.#name, text, this.#scopes) }
    }
    return toApiKeyResult(findInConstantTime(this.#parsed.keys, digest))
  }
}

/** Compares with every key, so that the time does not depend on which key matches. */
function findInConstantTime(keys: readonly ApiKey[], digest: Uint8Array): Caller | null {
  let found: Caller | null = null
  for (const key of keys) {
    // throws for unequal lengths, which `readApiKeys` rules out
    if (crypto.subtle.timingSafeEqual(key.digest, digest)) found = key.caller
  }
  return found
}

const hexDigest = /^[0-9a-f]{64}$/

/** Reads a JSON array of `{ digest, subject, ... }`. Errors contain no digest. */
function readApiKeys(name: string, text: string, scopes: ScopeHierarchy): readonly ApiKey[] {
  const advice = `Correct it, and set it again with \`wrangler secret put ${name}\`.`
  const entries = parseJsonOrNull(text)
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new Error(`The secret ${name} is not a JSON array of API keys. ${advice}`)
  }
  return entries.map((entry: unknown, index) => {
    const digest = isJsonObject(entry) ? entry['digest'] : null
    const caller = readApiKeyRecord(entry, scopes)
    if (caller !== null && typeof digest === 'string' && hexDigest.test(digest)) {
      return { digest: Uint8Array.fromHex(digest), caller }
    }
    throw new Error(
      `Entry ${index} of the secret ${name} is not { "digest": 64 lower-case hexadecimal digits, ` +
        `"subject": text, "client"?, "scopes"?, "expires"? }. ${advice}`,
    )
  })
}

type KeyStore = Pick<KVNamespace, 'get'>

/** The API keys in a KV namespace: a record under the hexadecimal digest of each key. */
export class ApiKeyNamespace {
  readonly #name: string
  readonly #scopes: ScopeHierarchy
  readonly #keys = new AskedTokens()

  constructor(name: string, scopes: ScopeHierarchy) {
    this.#name = name
    this.#scopes = scopes
  }

  /**
   * Authenticates the caller of a key, by the digest of the key.
   *
   * @throws {Error} if the record of the key is invalid.
   */
  async find(kv: KeyStore, digest: Uint8Array, context: AuthContext): Promise<AuthResult> {
    // the time of this lookup may reveal digests, and a digest does not reveal its key
    const hex = digest.toHex()
    return this.#keys.find(hex, context, async () => toApiKeyResult(await this.#read(kv, hex)))
  }

  async #read(kv: KeyStore, hex: string): Promise<Caller | null> {
    const text = await kv.get(hex)
    if (text === null) return null
    const caller = readApiKeyRecord(parseJsonOrNull(text), this.#scopes)
    if (caller !== null) return caller
    throw new Error(
      `The value of ${hex.slice(0, 8)}... in the KV namespace ${this.#name} is not ` +
        '{ "subject": text, "client"?, "scopes"?, "expires"? }. ' +
        'Correct it with `wrangler kv key put`.',
    )
  }
}

function toApiKeyResult(caller: Caller | null): AuthResult {
  if (caller === null) return { kind: 'refused', why: 'This server does not know the API key.' }
  const hasExpired = (caller.expires ?? Infinity) <= Date.now()
  return hasExpired
    ? { kind: 'refused', why: 'The API key has expired.' }
    : { kind: 'caller', caller }
}

/**
 * Reads who owns an API key: `{ subject, client?, scopes?, expires? }`, `expires` as ISO 8601. Returns
 * `null` if any member has another type: a typing error must not make a key work longer, or for more.
 */
function readApiKeyRecord(record: unknown, hierarchy: ScopeHierarchy): Caller | null {
  if (!isJsonObject(record)) return null
  const { subject, client, scopes = [], expires } = record
  if (!isName(subject) || !isTextList(scopes)) return null
  if (client !== undefined && !isName(client)) return null
  if (expires !== undefined && typeof expires !== 'string') return null
  const end = expires === undefined ? Infinity : Date.parse(expires)
  if (Number.isNaN(end)) return null
  return readCaller({
    subject,
    client,
    scopes: expandScopes(scopes, hierarchy),
    expires: end === Infinity ? undefined : end,
  })
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
