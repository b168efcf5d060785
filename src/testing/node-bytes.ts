/*
 * `Uint8Array` has methods for Base64 and hexadecimal text in workerd, and in Node from version 25 on.
 * A unit test in an older Node gets them here, as ECMAScript defines them as far as Helve uses them.
 */

function define(target: object, name: string, value: (...args: never[]) => unknown): void {
  if (name in target) return
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
}

/** Adds the methods to `Uint8Array`, where they are missing. */
export function addByteMethods(): void {
  const { Buffer } = globalThis
  if (typeof Buffer === 'undefined') return
  define(Uint8Array, 'fromHex', (text: string) => Uint8Array.from(Buffer.from(text, 'hex')))
  define(Uint8Array, 'fromBase64', (text: string, { alphabet }: Base64Options = {}) =>
    Uint8Array.from(Buffer.from(text, alphabet ?? 'base64')),
  )
  define(Uint8Array.prototype, 'toHex', function toHex(this: Uint8Array) {
    return Buffer.from(this).toString('hex')
  })
  define(Uint8Array.prototype, 'toBase64', function (this: Uint8Array, options?: Base64Options) {
    return toBase64(this, options)
  })
}

interface Base64Options {
  readonly alphabet?: 'base64' | 'base64url'
  readonly omitPadding?: boolean
}

function toBase64(bytes: Uint8Array, { alphabet, omitPadding }: Base64Options = {}): string {
  const text = globalThis.Buffer.from(bytes).toString(alphabet)
  const bare = text.replace(/=+$/, '')
  return omitPadding === true ? bare : bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
}
