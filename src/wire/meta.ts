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
