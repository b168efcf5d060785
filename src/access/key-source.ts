import { createLocalJWKSet, type LocalJWKSet } from 'jose/jwks/local'
import type { JSONWebKeySet } from 'jose'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { logIncident } from '../kit/incident.ts'

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
