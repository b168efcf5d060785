import type { AuthResult, Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import { ApiKeyNamespace, ApiKeySecret } from './tokens/api-key-lookup.ts'
import { authenticateBearer, toTokenDigest } from './tokens/credentials.ts'
import type { ScopeHierarchy } from './tokens/scopes.ts'

export interface ApiKeysOptions {
  /** The name of the secret, or of the KV namespace, that has the digests of the keys. */
  readonly keys: string
  readonly scopes?: ScopeHierarchy
}

/**
 * Authenticates callers by API keys, which they send as bearer tokens. Only the SHA-256 digests of the
 * keys are stored: in a secret as one JSON array, or in a KV namespace under the hexadecimal digest.
 */
export function apiKeys({ keys, scopes = {} }: ApiKeysOptions): Authenticator {
  const secret = new ApiKeySecret(keys, scopes)
  const namespace = new ApiKeyNamespace(keys, scopes)

  return {
    allowsAnonymous: false,
    authorizationServers: () => [],
    authenticate: authenticateBearer(async (key, { env }) => {
      const digest = await toTokenDigest(key)
      const binding: unknown = Reflect.get(env, keys)
      return toApiKeyResult(
        isKvNamespace(binding) ? await namespace.find(binding, digest) : secret.find(env, digest),
      )
    }),
  }
}

function isKvNamespace(binding: unknown): binding is Pick<KVNamespace, 'get'> {
  return typeof binding === 'object' && binding !== null && 'get' in binding
}

function toApiKeyResult(caller: Caller | null): AuthResult {
  if (caller === null) return { kind: 'refused', why: 'This server does not know the API key.' }
  const hasExpired = (caller.expires ?? Infinity) <= Date.now()
  return hasExpired
    ? { kind: 'refused', why: 'The API key has expired.' }
    : { kind: 'caller', caller }
}
