// mcp-lite without sessions, as its documentation has it
import { McpServer, StreamableHttpTransport } from 'mcp-lite'
import * as z from 'zod'

export function serve(tools, withOutput) {
  const server = new McpServer({
    name: 'bench',
    version: '1',
    schemaAdapter: (schema) => z.toJSONSchema(schema),
  })
  for (const { name, description, input, output, run } of tools) {
    const config = { title: name, description, inputSchema: input }
    if (withOutput) {
      const handler = (given) => {
        const said = run(given)
        return { content: [{ type: 'text', text: JSON.stringify(said) }], structuredContent: said }
      }
      server.tool(name, { ...config, outputSchema: output, handler })
    } else {
      const handler = (given) => ({ content: [{ type: 'text', text: run(given).text }] })
      server.tool(name, { ...config, handler })
    }
  }
  return { fetch: new StreamableHttpTransport().bind(server) }
}
