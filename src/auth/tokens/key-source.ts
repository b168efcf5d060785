import type { JSONWebKeySet } from 'jose'
import { type LocalJWKSet, createLocalJWKSet } from 'jose/jwks/local'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { isLoopback } from '../../util/address.ts'
import { logIncident } from '../../out/log.ts'

/** The keys of an issuer, kept in the isolate. What `waitUntil` is given outlives the request. */
export interface KeySource {
  /** The keys, fetched where there are none and refreshed when they are old. */
  readonly current: (waitUntil: WaitUntil) => Promise<LocalJWKSet>
  /** The keys after a refresh, unless there has been one just now: for an unknown key id. */
  readonly renewed: (waitUntil: WaitUntil) => Promise<LocalJWKSet>
}

export type WaitUntil = (work: Promise<unknown>) => void

/** Milliseconds that keys are used without asking again: a withdrawn one works no longer than this. */
const maxAgeMs = 600_000
/** Milliseconds between two fetches, whatever key ids are made up; shorter while there are no keys. */
const pauseMs = 30_000
const pauseWithoutKeysMs = 1_000
/** Milliseconds that a request waits for a fetch; the fetch itself gives up before. */
const patienceMs = 5_000

/**
 * Makes a source of keys. Any number of requests wait for one fetch; while it fails, the keys from
 * before go on serving.
 */
export function createKeySource(load: () => Promise<JsonObject>): KeySource {
  let keys: { readonly set: LocalJWKSet; readonly fetchedAt: number } | null = null
  let failure = 'none has been fetched yet.'
  let fetching: Promise<void> | null = null
  let triedAt = -Infinity

  async function fetchKeys(): Promise<void> {
    try {
      keys = { set: toKeySet(await load()), fetchedAt: Date.now() }
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      // whoever waited would be told, but the old keys let them in; they are public, as is their URL
      if (keys !== null) logIncident('authentication', error, (text) => text)
    }
    fetching = null
  }
  async function refresh(waitUntil: WaitUntil): Promise<void> {
    const pause = keys === null ? pauseWithoutKeysMs : pauseMs
    const age = Date.now() - triedAt
    // a promise belongs to the request that began it, and in workerd never settles if that request
    // is torn down: it may outlive its client, and nobody waits for it longer than it can take
    if (fetching === null || age > patienceMs) {
      if (age < pause) return
      triedAt = Date.now()
      fetching = fetchKeys()
      waitUntil(fetching)
    }
    await Promise.race([fetching, scheduler.wait(patienceMs)])
  }
  function take(): LocalJWKSet {
    if (keys === null) throw new Error(`There are no keys to check tokens with: ${failure}`)
    return keys.set
  }
  return {
    async current(waitUntil) {
      if (keys === null || Date.now() - keys.fetchedAt > maxAgeMs) await refresh(waitUntil)
      return take()
    },
    async renewed(waitUntil) {
      await refresh(waitUntil)
      return take()
    },
  }
}

function toKeySet(json: JsonObject): LocalJWKSet {
  if (!isKeySet(json)) throw new Error('The key set has no list of keys (RFC 7517, 5).')
  return createLocalJWKSet(json)
}

function isKeySet(json: JsonObject): json is JsonObject & JSONWebKeySet {
  return Array.isArray(json['keys']) && json['keys'].every(isJsonObject)
}

/**
 * Where the metadata of an issuer may be, in the order of
 * basic/authorization/authorization-server-discovery: OAuth (RFC 8414), then OpenID Connect.
 */
export function toDiscoveryUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ]
}

/**
 * Finds out where an issuer publishes its keys.
 *
 * @throws {Error} that says what each URL answered, where none of them served.
 */
export async function discoverKeysUrl(issuer: string): Promise<string> {
  const failures: string[] = []
  for (const url of toDiscoveryUrls(issuer)) {
    try {
      // one after the other: the first is there nearly always
      // oxlint-disable-next-line no-await-in-loop
      return await fetchKeysUrl(url, issuer)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(
    `The keys of ${issuer} were not found. ${failures.join(' ')} ` +
      'Correct `issuer`, or name the URL of its keys as `jwks`.',
  )
}

async function fetchKeysUrl(url: string, issuer: string): Promise<string> {
  const { issuer: named, jwks_uri: keys } = await fetchJson(url)
  // RFC 8414, 3.3: metadata that speaks for another issuer must not be used
  if (named !== issuer) throw new Error(`${url} is about the issuer ${JSON.stringify(named)}.`)
  if (typeof keys !== 'string') throw new Error(`${url} names no jwks_uri.`)
  return readSecureUrl(`jwks_uri in ${url}`, keys).href
}

/** Milliseconds after which a silent authorization server counts as out of reach. */
const timeoutMs = 4_000

/** A request for JSON, as far as there is a choice. */
interface JsonRequest {
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
