/**
 * Browser clients that are known to call MCP servers directly, for the `origins` setting: Claude,
 * ChatGPT, and the MCP inspector on the developer's own machine.
 */
export const webClients: readonly string[] = [
  'https://claude.ai',
  'https://chatgpt.com',
  'http://localhost:6274',
]
