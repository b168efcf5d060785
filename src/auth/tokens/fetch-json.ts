import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { isLoopback } from '../../util/address.ts'

/** Milliseconds after which an authorization server that does not answer counts as unreachable. */
const timeoutMs = 4_000

interface JsonRequest {
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: URLSearchParams
}

/**
 * Fetches a JSON object from an authorization server.
 *
 * @throws {Error} that names the URL, for anything but a 200 with an object.
 */
export async function fetchJson(url: string, request: JsonRequest = {}): Promise<JsonObject> {
  const response = await fetchFresh(url, request)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} returned status ${response.status} instead of 200.`)
  }
  const json = await readBody(url, response)
  if (!isJsonObject(json)) throw new Error(`${url} returned JSON that is not an object.`)
  return json
}

async function fetchFresh(url: string, request: JsonRequest): Promise<Response> {
  try {
    return await fetch(url, {
      ...request,
      headers: { Accept: 'application/json', ...request.headers },
      // the configuration decides where keys come from, and a redirect must not
      redirect: 'manual',
      // the edge's cache must not hide a key that has just been added
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw new Error(`${url} could not be reached: ${toMessage(error)}`, { cause: error })
  }
}

async function readBody(url: string, response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw new Error(`${url} returned no JSON: ${toMessage(error)}`, { cause: error })
  }
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Reads a URL from which keys are fetched, or to which secrets are sent. Plain HTTP is accepted for the
 * developer's own machine only.
 *
 * @throws {RangeError} if the text is not a URL, or if anyone on the network could answer in its place.
 */
export function readSecureUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:') return url
  if (url?.protocol === 'http:' && isLoopback(url)) return url
  throw new RangeError(
    `${name} is "${text}", which is not a secure URL. Use a URL that begins with https:// ` +
      '(plain http:// is accepted for 127.0.0.1 and localhost only).',
  )
}
