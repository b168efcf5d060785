/*
 * Links that open a client with the server filled in. A client that is not installed does not open them.
 */

interface LinkedServer {
  readonly title: string
  readonly url: string
}

export function toClaudeLink({ title, url }: LinkedServer): string {
  const query = new URLSearchParams({ connectorName: title, connectorUrl: url })
  return `https://claude.ai/customize/connectors?modal=add-custom-connector&${query}`
}

/** @param entry what stands under the name in Cursor's mcp.json. */
export function toCursorLink(name: string, entry: object): string {
  const config = Buffer.from(JSON.stringify(entry)).toString('base64')
  return `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name, config })}`
}

/** @param entry what stands under the name in VS Code's mcp.json. */
export function toVsCodeLink(name: string, entry: object): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...entry }))}`
}
