import type { Failure } from '../protocol/failure.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type Outcome, type ResultOutcome, fail, isErrorResult } from '../protocol/outcome.ts'
import { noStore, toCacheDirectives } from './freshness.ts'
import type { ComputedResult } from './read-through.ts'

export interface CachedResult {
  readonly outcome: Outcome
  /** When computing it began, in milliseconds since 1970: it may lack what has changed since then. */
  readonly madeAt: number
}

/** A time of its own: `Age` has only whole seconds, and not every cache sends it. */
const madeAtHeader = 'Helve-Made-At'

/** Whether the body is a result or a failure: the status is for the cache, and does not say. */
const kindHeader = 'Helve-Outcome'

/** The id of an error that the server of the response has logged. */
const errorIdHeader = 'Helve-Error-Id'

const maxStoredBytes = 512_000_000

/**
 * Returns whether an outcome may be stored. Errors and requests for more input are only for the caller
 * that got them (server/utilities/caching, "Cacheable Results").
 */
export function isStorable(outcome: Outcome, maxBytes: number = maxStoredBytes): boolean {
  return (
    outcome.kind === 'result' &&
    !isFaulty(outcome) &&
    // a character takes three bytes at most, and each brace one
    outcome.members.length * 3 + 2 <= maxBytes
  )
}

function isFaulty({ members, errorId }: ResultOutcome): boolean {
  return errorId !== undefined || isErrorResult(members)
}

/**
 * Prints a result as the response that the cache stores or passes on. The status decides what happens
 * to an older entry: a 404 replaces it, and after a 500 the platform goes on serving it.
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
    ...(outcome.kind === 'result' &&
      outcome.errorId !== undefined && { [errorIdHeader]: outcome.errorId }),
    ...(mayStore && isStorable(outcome)
      ? toCacheDirectives({ ...lifetime, cacheScope: 'public' }).stored
      : noStore),
  }
  switch (outcome.kind) {
    case 'result': {
      const status = isFaulty(outcome) ? 500 : 200
      return new Response(`{${outcome.members}}`, { status, headers })
    }
    case 'failure':
      return Response.json(outcome.failure, { status: isGone(outcome) ? 404 : 500, headers })
    default:
      return toUnknownKeyResponse()
  }
}

/** Returns whether an outcome means that what was cached does not exist any more. */
export function isGone(outcome: Outcome): boolean {
  if (outcome.kind !== 'failure') return false
  const { kind } = outcome.failure
  return kind === 'resource-not-found' || kind === 'invalid-params'
}

/** The response to a key that this server does not use. A 404 without a header would be stored for minutes. */
export function toUnknownKeyResponse(): Response {
  return new Response(null, { status: 404, headers: noStore })
}

/** Reads a response of {@link toStoredResponse}; `null` for anything else. */
export async function readStoredResponse(response: Response): Promise<CachedResult | null> {
  const madeAt = Number(response.headers.get(madeAtHeader))
  const text = await response.text()
  if (!(madeAt > 0)) return null
  if (response.headers.get(kindHeader) === 'result') {
    const errorId = response.headers.get(errorIdHeader)
    const members = text.slice(1, -1)
    return {
      outcome: { kind: 'result', members, ...(errorId !== null && { errorId }) },
      madeAt,
    }
  }
  const failure = readFailure(JSON.parse(text))
  return failure && { outcome: fail(failure), madeAt }
}

export function toCachedOutcome(
  { outcome, madeAt }: CachedResult,
  isHit: boolean,
  ttlMs: number,
): Outcome {
  if (outcome.kind !== 'result') return outcome
  // the clock of the machine that made it may be ahead of this one's
  const ageSeconds = Math.max(0, Math.floor((Date.now() - madeAt) / 1_000))
  return { ...outcome, cached: { isHit, ageSeconds, ttlMs } }
}

function readFailure(value: unknown): Failure | null {
  if (!isJsonObject(value)) return null
  const { kind, why, uri, advice, data, errorId } = value
  if (kind === 'internal' && typeof errorId === 'string') return { kind, errorId }
  if (typeof why !== 'string') return null
  if (kind === 'failed') return { kind, why }
  if (kind === 'resource-not-found' && typeof uri === 'string') return { kind, why, uri }
  if (kind !== 'invalid-params') return null
  return {
    kind,
    why,
    ...(typeof advice === 'string' && { advice }),
    ...(isJsonObject(data) && { data }),
  }
}
