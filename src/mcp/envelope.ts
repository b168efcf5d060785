import type { Failure } from '../protocol/failure.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import {
  type Envelope,
  isLogLevel,
  logLevels,
  metaKey,
  supportedVersions,
} from '../protocol/meta.ts'
import { findHeaderMismatch } from './request-headers.ts'

type EnvelopeRead =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly failure: Failure }

/** Reads the envelope of a call; an outcome ends the call. */
export function openEnvelope(call: Call): Outcome | null {
  const read = readEnvelope(call, call.headers)
  if (!read.ok) return fail(read.failure)
  call.envelope = read.envelope
  return null
}

/**
 * Reads the envelope of a request of revision 2026-07-28. Body and headers are compared before the
 * version is checked, because a proxy may have relied on either (basic/index, "_meta";
 * basic/transports/streamable-http, "Server Validation").
 */
export function readEnvelope(
  { method, params }: Pick<Call, 'method' | 'params'>,
  headers: Headers,
): EnvelopeRead {
  const meta = params['_meta']
  if (!isJsonObject(meta)) return malformed(`params._meta is missing. ${everyRequest}`)
  const version = meta[metaKey.protocolVersion]
  if (typeof version !== 'string')
    return malformed(wrongMember(metaKey.protocolVersion, 'a string'))
  const clientCapabilities = meta[metaKey.clientCapabilities]
  if (!isJsonObject(clientCapabilities)) {
    return malformed(wrongMember(metaKey.clientCapabilities, 'an object'))
  }
  const { progressToken, [metaKey.logLevel]: logLevel } = meta
  if (progressToken !== undefined && !isProgressToken(progressToken)) {
    return malformed('params._meta.progressToken must be a string or an integer.')
  }
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    return malformed(`params._meta["${metaKey.logLevel}"] must be one of ${logLevels.join(', ')}.`)
  }

  const mismatch = findHeaderMismatch({ version, method, params }, headers)
  if (mismatch !== null) {
    return { ok: false, failure: { kind: 'header-mismatch', why: mismatch } }
  }
  if (!supportedVersions.includes(version)) {
    const failure = {
      kind: 'unsupported-version',
      requested: version,
      supported: supportedVersions,
    } as const
    return { ok: false, failure }
  }
  const envelope = {
    clientCapabilities,
    ...(progressToken !== undefined && { progressToken }),
    ...(logLevel !== undefined && { logLevel }),
  }
  return { ok: true, envelope }
}

function isProgressToken(token: unknown): token is string | number {
  return typeof token === 'string' || Number.isSafeInteger(token)
}

const everyRequest = `This server speaks ${supportedVersions.join(', ')}, in which every request has it.`

function wrongMember(key: string, what: string): string {
  return `params._meta["${key}"] must be ${what}. ${everyRequest}`
}

function malformed(why: string): EnvelopeRead {
  return { ok: false, failure: { kind: 'malformed-params', why } }
}
