import type { Authenticator } from '../define/authenticator.ts'
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
    authenticate: authenticateBearer(async (key, context) => {
      const digest = await toTokenDigest(key)
      const binding: unknown = Reflect.get(context.env, keys)
      return isKvNamespace(binding)
        ? namespace.find(binding, digest, context)
        : secret.find(context.env, digest)
    }),
  }
}

function isKvNamespace(binding: unknown): binding is Pick<KVNamespace, 'get'> {
  return typeof binding === 'object' && binding !== null && 'get' in binding
}
