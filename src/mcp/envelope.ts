import type { Failure } from '../protocol/failure.ts'
import { type JsonObject, isJsonObject, isTextOrInteger } from '../protocol/json.ts'
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
import type { Settings } from './settings.ts'

type EnvelopeRead =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly failure: Failure }

interface EnvelopeCall extends Pick<Call, 'method' | 'params'> {
  readonly settings: Pick<Settings, 'versions' | 'legacy'>
}

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
  { method, params, settings }: EnvelopeCall,
  headers: Headers,
): EnvelopeRead {
  const meta = params['_meta']
  if (!isJsonObject(meta)) {
    return (
      refuseLegacy({ method, params, settings }) ??
      malformed(`params._meta is missing. ${everyRequest}`)
    )
  }
  const version = meta[metaKey.protocolVersion]
  if (typeof version !== 'string') {
    // the `_meta` of an earlier revision has other members, such as a trace
    const refused = version === undefined ? refuseLegacy({ method, params, settings }) : null
    return refused ?? malformed(wrongMember(metaKey.protocolVersion, 'a string'))
  }
  const clientCapabilities = meta[metaKey.clientCapabilities]
  if (!isJsonObject(clientCapabilities)) {
    return malformed(wrongMember(metaKey.clientCapabilities, 'an object'))
  }
  const { progressToken, [metaKey.logLevel]: logLevel } = meta
  if (progressToken !== undefined && !isTextOrInteger(progressToken)) {
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
    const supported = settings.versions
    return { ok: false, failure: { kind: 'unsupported-version', requested: version, supported } }
  }
  const wrong = findWrongMember(clientCapabilities, meta[metaKey.clientInfo])
  if (wrong !== null) return malformed(wrong)
  const envelope = {
    clientCapabilities,
    ...(progressToken !== undefined && { progressToken }),
    ...(logLevel !== undefined && { logLevel }),
  }
  return { ok: true, envelope }
}

/** Refuses a client of an earlier revision with a sentence that it shows, where they are not served. */
function refuseLegacy({ method, params, settings }: EnvelopeCall): EnvelopeRead | null {
  const { protocolVersion } = params
  if (settings.legacy || method !== 'initialize' || typeof protocolVersion !== 'string') return null
  return { ok: false, failure: { kind: 'legacy-client', requested: protocolVersion } }
}

/** The capabilities of a client, each with its own members. All are objects (schema, "ClientCapabilities"). */
const capabilities: readonly (readonly [name: string, members: readonly string[]])[] = [
  ['experimental', []],
  ['extensions', []],
  ['roots', []],
  ['elicitation', ['form', 'url']],
  ['sampling', ['context', 'tools']],
]

/**
 * Checks the parts of `_meta` that few requests have against the schema of this revision. A member
 * may be absent, but not null: `{ "sampling": null }` declares nothing that the server could rely on.
 */
function findWrongMember(declared: JsonObject, clientInfo: unknown): string | null {
  for (const [name, members] of capabilities) {
    const value = declared[name]
    if (value === undefined) continue
    const path = `params._meta["${metaKey.clientCapabilities}"].${name}`
    if (!isJsonObject(value)) return `${path} must be an object.`
    const wrong = members.find((key) => value[key] !== undefined && !isJsonObject(value[key]))
    if (wrong !== undefined) return `${path}.${wrong} must be an object.`
  }
  if (clientInfo === undefined || isImplementation(clientInfo)) return null
  return `params._meta["${metaKey.clientInfo}"] must be an object with a \`name\` and a \`version\`.`
}

function isImplementation(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  return typeof value['name'] === 'string' && typeof value['version'] === 'string'
}

const everyRequest = `This server speaks ${supportedVersions.join(', ')}, in which every request has it.`

function wrongMember(key: string, what: string): string {
  return `params._meta["${key}"] must be ${what}. ${everyRequest}`
}

function malformed(why: string): EnvelopeRead {
  return { ok: false, failure: { kind: 'malformed-params', why } }
}
