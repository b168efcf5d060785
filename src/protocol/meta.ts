import type { JsonObject } from './json.ts'

/** The reserved `_meta` keys of revision 2026-07-28 (basic/index, "_meta"). */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

/** The protocol revisions that Helve serves, newest first (basic/versioning). */
export const supportedVersions: readonly string[] = ['2026-07-28']

/** The `_meta` of a request, after a comparison with its headers. */
export interface Envelope {
  readonly clientCapabilities: JsonObject
  /** Set if the client wants progress, which has the token with its JSON type. */
  readonly progressToken?: string | number
  /** Set if the client wants log messages of this level and above. */
  readonly logLevel?: LogLevel
}

/** The severities of RFC 5424, lowest first (server/utilities/logging). */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

export type LogLevel = (typeof logLevels)[number]

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.some((level) => level === value)
}
