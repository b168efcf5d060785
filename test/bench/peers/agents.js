// Cloudflare's agents, as its documentation has a stateless server
import { createMcpHandler } from 'agents/mcp/server'
import { createServer } from './sdk-server.js'

export function serve(tools, withOutput) {
  const handler = createMcpHandler(() => createServer(tools, withOutput), { route: '/mcp' })
  return { fetch: (request, env, ctx) => handler(request, env, ctx) }
}
