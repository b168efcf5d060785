import type { Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import {
  KnownCallers,
  authenticateBearer,
  readSecret,
  toTokenDigest,
} from './tokens/credentials.ts'
import { type KeyList, readKeyList, readKeyRecord } from './tokens/key-list.ts'
import type { ScopeHierarchy } from './tokens/scopes.ts'

interface ApiKeysOptions {
  /** The name of the secret, or of the KV namespace, that holds the digests of the keys. */
  readonly keys: string
  /** Which scopes a scope implies. */
  readonly scopes?: ScopeHierarchy
}

/**
 * Callers bring API keys as bearer tokens. Only their SHA-256 digests are stored: in a secret as one
 * JSON array, or in a KV namespace under the digest in hexadecimal.
 */
export function apiKeys({ keys, scopes = {} }: ApiKeysOptions): Authenticator {
  const findInSecret = createSecretLookup(keys, scopes)
  const findInKv = createKvLookup(keys, scopes)

  return {
    allowsAnonymous: false,
    authorizationServers: () => [],
    authenticate: authenticateBearer(async (key, { env }) => {
      const digest = await toTokenDigest(key)
      const binding: unknown = Reflect.get(env, keys)
      const caller = isKv(binding) ? await findInKv(binding, digest) : findInSecret(env, digest)
      if (caller === null) return { kind: 'refused', why: 'The key is not known here.' }
      const isOver = (caller.expires ?? Infinity) <= Date.now()
      return isOver ? { kind: 'refused', why: 'The key has expired.' } : { kind: 'caller', caller }
    }),
  }
}

function createSecretLookup(
  name: string,
  scopes: ScopeHierarchy,
): (env: object, digest: Uint8Array) => Caller | null {
  let read: { readonly text: string; readonly list: KeyList } | null = null
  return (env, digest) => {
    const text = readSecret(env, name)
    if (read?.text !== text) read = { text, list: readKeyList(name, text, scopes) }
    return read.list.find(digest)
  }
}

function createKvLookup(
  name: string,
  scopes: ScopeHierarchy,
): (kv: Pick<KVNamespace, 'get'>, digest: Uint8Array) => Promise<Caller | null> {
  const known = new KnownCallers()
  return async (kv, digest) => {
    // who can time this look-up learns of digests, and a digest leads to no key
    const hex = digest.toHex()
    const remembered = known.get(hex)
    if (remembered !== null) return remembered
    const text = await kv.get(hex)
    if (text === null) return null
    const caller = readKeyRecord(readJson(text), scopes)
    if (caller === null) {
      throw new Error(
        `The value under ${hex.slice(0, 8)}... in the KV namespace ${name} is not ` +
          '{ "subject": text, "client"?, "scopes"?, "expires"? }.',
      )
    }
    known.set(hex, caller)
    return caller
  }
}

function isKv(binding: unknown): binding is Pick<KVNamespace, 'get'> {
  return typeof binding === 'object' && binding !== null && 'get' in binding
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
