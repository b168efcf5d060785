import { isLoopback } from '../kit/loopback.ts'

/**
 * Reads a URL that keys or secrets travel over. Plain HTTP is for the developer's own machine.
 *
 * @throws {RangeError} for what is not a URL, and for one that anybody on the way could answer.
 */
export function readSecureUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:') return url
  if (url?.protocol === 'http:' && isLoopback(url)) return url
  throw new RangeError(
    `${name} is "${text}". Give a URL that begins with https://; ` +
      'plain http:// is for 127.0.0.1 and localhost only.',
  )
}
