import { isJsonObject, type JsonObject } from '../wire/json.ts'

/** Milliseconds after which a silent authorization server counts as out of reach. */
const timeoutMs = 4_000

/** A request for JSON, as far as there is a choice. */
export interface JsonRequest {
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: URLSearchParams
}

/**
 * Fetches a JSON object from an authorization server.
 *
 * @throws {Error} that says which URL did what, for anything but 200 with an object.
 */
export async function fetchJson(url: string, request: JsonRequest = {}): Promise<JsonObject> {
  const response = await fetch(url, {
    ...request,
    headers: { Accept: 'application/json', ...request.headers },
    // where keys come from is configured, and not for a redirect to say
    redirect: 'manual',
    // a key that has just been added must not hide behind the edge's cache
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answered ${response.status}.`)
  }
  const json: unknown = await response.json()
  if (!isJsonObject(json)) throw new Error(`${url} answered JSON that is not an object.`)
  return json
}
