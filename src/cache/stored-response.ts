import type { Failure } from '../protocol/failure.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail, isErrorResult } from '../protocol/outcome.ts'
import { noStore, toCacheDirectives } from './freshness.ts'
import type { ComputedResult, CacheLifetime } from './read-through.ts'

/** An answer as a cache gave it back. */
export interface CachedResult {
  readonly outcome: Outcome
  /** When its making began, in milliseconds since 1970: what changes meanwhile may not be in it. */
  readonly madeAt: number
}

/** When it was made, as `Age` may come in whole seconds, or from a cache that does not say it. */
const madeAtHeader = 'Helve-Made-At'

/** Whether the body is a result or a failure, as the status is there for the cache. */
const kindHeader = 'Helve-Outcome'

/** Bytes that the platform stores at most. */
const maxStoredBytes = 512_000_000

/**
 * Whether an answer may be stored: no error and nothing that asks for more input is the answer of
 * anybody who asks later (server/utilities/caching, "Cacheable Results").
 */
export function isStorable(outcome: Outcome, maxBytes: number = maxStoredBytes): boolean {
  return (
    outcome.kind === 'result' &&
    !isErrorResult(outcome.members) &&
    // a character takes three bytes at most, and the braces one each
    outcome.members.length * 3 + 2 <= maxBytes
  )
}

/**
 * Prints an answer for the cache, which stores it or passes it on as the headers say. What is gone
 * takes the place of what was there; while something fails, what was there will do.
 */
export function toStoredResponse(
  { outcome, lifetime }: ComputedResult,
  madeAt: number,
  mayStore: boolean = true,
): Response {
  const headers = {
    'Content-Type': 'application/json',
    [madeAtHeader]: String(madeAt),
    [kindHeader]: outcome.kind,
    ...(mayStore && isStorable(outcome) ? toStoredHeaders(lifetime) : noStore),
  }
  switch (outcome.kind) {
    case 'result': {
      const status = isErrorResult(outcome.members) ? 500 : 200
      return new Response(`{${outcome.members}}`, { status, headers })
    }
    case 'failure': {
      const { failure } = outcome
      return Response.json(failure, { status: isGone(outcome) ? 404 : 500, headers })
    }
    default:
      return toUnknownKeyResponse()
  }
}

/** Whether there is nothing any more, whatever was there. */
export function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'failure' && outcome.failure.kind === 'invalid-params'
}

/** For a lookup that is none of ours. Without a header it would be stored for minutes. */
export function toUnknownKeyResponse(): Response {
  return new Response(null, { status: 404, headers: noStore })
}

/** Reads what {@link toStoredResponse} printed; `null` for anything else. */
export async function readStoredResponse(response: Response): Promise<CachedResult | null> {
  const madeAt = Number(response.headers.get(madeAtHeader))
  const text = await response.text()
  if (!(madeAt > 0)) return null
  if (response.headers.get(kindHeader) === 'result') {
    return { outcome: { kind: 'result', members: text.slice(1, -1) }, madeAt }
  }
  const failure = readFailure(JSON.parse(text))
  return failure && { outcome: fail(failure), madeAt }
}

/** The answer as the walk goes on with it: what was kept says how old it is. */
export function toCachedOutcome(
  { outcome, madeAt }: CachedResult,
  isHit: boolean,
  ttlMs: number,
): Outcome {
  if (outcome.kind !== 'result') return outcome
  const age = Math.max(0, Math.floor((Date.now() - madeAt) / 1000))
  return { ...outcome, cached: { isHit, ageSeconds: age, ttlMs } }
}

function toStoredHeaders(keeping: CacheLifetime): Readonly<Record<string, string>> {
  return toCacheDirectives({ ...keeping, cacheScope: 'public' }).stored
}

function readFailure(value: unknown): Failure | null {
  if (!isJsonObject(value)) return null
  const { kind, why, data, errorId } = value
  if (kind === 'internal' && typeof errorId === 'string') return { kind, errorId }
  if (typeof why !== 'string') return null
  if (kind === 'failed') return { kind, why }
  return kind === 'invalid-params' ? { kind, why, ...(isJsonObject(data) && { data }) } : null
}
