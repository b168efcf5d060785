import type { Envelope } from '../wire/envelope.ts'
import type { Failure } from '../wire/failure.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { isLogLevel, logLevels } from '../wire/log-level.ts'
import type { RequestMessage } from '../wire/message.ts'
import { metaKey, supportedVersions } from '../wire/meta.ts'
import { readHeaderValue } from './header-value.ts'

export type EnvelopeRead =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly failure: Failure }

/** The parameter that `Mcp-Name` mirrors, by method (streamable-http, "Standard Request Headers"). */
const nameSource: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * Reads the envelope of a request of revision 2026-07-28. Body and headers are compared before the
 * version is judged, as a proxy may have trusted either (basic/index, "_meta";
 * basic/transports/streamable-http, "Server Validation").
 */
export function readEnvelope({ method, params }: RequestMessage, headers: Headers): EnvelopeRead {
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

  const mismatch =
    findMismatch('MCP-Protocol-Version', headers.get('MCP-Protocol-Version'), version) ??
    findMismatch('Mcp-Method', headers.get('Mcp-Method'), method) ??
    findNameMismatch(method, params, headers)
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

const everyRequest = `This server speaks ${supportedVersions.join(', ')}, in which every request carries it.`

function wrongMember(key: string, what: string): string {
  return `params._meta["${key}"] must be ${what}. ${everyRequest}`
}

function malformed(why: string): EnvelopeRead {
  return { ok: false, failure: { kind: 'malformed-params', why } }
}

function findMismatch(name: string, header: string | null, body: unknown): string | null {
  if (header === null) return `${name} is missing`
  if (header === body) return null
  return `${name} is "${header}", but the body says ${JSON.stringify(body) ?? 'nothing'}`
}

function findNameMismatch(method: string, params: JsonObject, headers: Headers): string | null {
  const source = nameSource.get(method)
  if (source === undefined) return null
  const raw = headers.get('Mcp-Name')
  const header = raw === null ? null : readHeaderValue(raw)
  if (raw !== null && header === null) return 'Mcp-Name is not a valid header value'
  return findMismatch('Mcp-Name', header, params[source])
}
