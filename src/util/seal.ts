import { readBase64Url, toBase64Url } from './bytes.ts'

/** Encrypts values into text that only this server can read or create. */
export interface Sealer {
  /**
   * Encrypts a value. `bound` must be the same when the text is opened, such as the caller: it is
   * authenticated (as additional data), but is not in the text.
   */
  readonly seal: (value: object, bound: string) => Promise<string>
  /** Returns the value; `null` for any text that was not sealed by this server for this `bound`. */
  readonly open: (text: string, bound: string) => Promise<unknown>
}

/**
 * Longer text is not read, so that no caller can make the Worker decrypt megabytes. As Base64url with a nonce
 * and a tag it has room for 6,114 bytes.
 */
export const maxSealedLength = 8_192

const version = '1.'
const ivBytes = 12
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Creates a sealer (AES-256-GCM). Its keys are derived (HKDF-SHA-256) from `secrets` for one `purpose`,
 * so that text for one purpose does not open for another. The first secret encrypts, all of them decrypt.
 *
 * @throws {RangeError} without a secret.
 */
export function createSealer(secrets: readonly string[], purpose: string): Sealer {
  const keys = secrets.map((secret) => createKey(secret, `helve/${purpose}/1`))
  const [current] = keys
  if (current === undefined) throw new RangeError('A sealer needs at least one secret.')
  return {
    async seal(value, bound) {
      // random: a counter would need storage, and below 2^32 values a key repeats are negligible
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
      const plain = encoder.encode(JSON.stringify(value))
      const sealed = await crypto.subtle.encrypt(toCipher(iv, bound), await current(), plain)
      const bytes = new Uint8Array(ivBytes + sealed.byteLength)
      bytes.set(iv)
      bytes.set(new Uint8Array(sealed), ivBytes)
      return version + toBase64Url(bytes)
    },
    async open(text, bound) {
      if (text.length > maxSealedLength || !text.startsWith(version)) return null
      const bytes = readBase64Url(text.slice(version.length))
      if (bytes === null) return null
      const cipher = toCipher(bytes.subarray(0, ivBytes), bound)
      const sealed = bytes.subarray(ivBytes)
      const opened = await Promise.all(
        keys.map(async (key) => tryOpen(cipher, await key(), sealed)),
      )
      return opened.find((value) => value !== null) ?? null
    },
  }
}

function toCipher(iv: Uint8Array, bound: string): SubtleCryptoEncryptAlgorithm {
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(bound) }
}

async function tryOpen(
  cipher: SubtleCryptoEncryptAlgorithm,
  key: CryptoKey,
  sealed: Uint8Array,
): Promise<unknown> {
  try {
    return JSON.parse(decoder.decode(await crypto.subtle.decrypt(cipher, key, sealed)))
  } catch {
    return null
  }
}

function createKey(secret: string, info: string): () => Promise<CryptoKey> {
  // the key and not its promise: in workerd a promise belongs to the request that created it, and may
  // never settle for another
  let key: CryptoKey | null = null
  return async () => {
    key ??= await deriveKey(secret, info)
    return key
  }
}

async function deriveKey(secret: string, info: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, [
    'deriveKey',
  ])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(info) },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** The length of what `openssl rand -base64 24` prints: 192 bits. */
const minCharacters = 32

/**
 * Reads `STATE_KEY`: one secret, or several separated by commas. The first one encrypts and all of them
 * decrypt, so that a new secret can be put first while the old one is still in use.
 *
 * @throws {RangeError} for a secret of fewer than 32 characters.
 */
export function readSecrets(text: string): readonly string[] {
  const secrets = text.split(',').map((secret) => secret.trim())
  const short = secrets.find(({ length }) => length < minCharacters)
  if (short === undefined) return secrets
  // a log may contain the length of a secret and no more
  throw new RangeError(
    `STATE_KEY has a secret of ${short.length} characters, which could be guessed; ` +
      `it needs at least ${minCharacters}. Create one with \`openssl rand -base64 32\` ` +
      'and store it with `wrangler secret put STATE_KEY`.',
  )
}
