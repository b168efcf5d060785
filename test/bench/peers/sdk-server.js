import { McpServer } from '@modelcontextprotocol/server'

/** A server of the official SDK with these tools. */
export function createServer(tools, withOutput) {
  const server = new McpServer({ name: 'bench', version: '1' })
  for (const { name, description, input, output, run } of tools) {
    const config = { title: name, description, inputSchema: input }
    if (withOutput) {
      server.registerTool(name, { ...config, outputSchema: output }, (given) => {
        const said = run(given)
        return { content: [{ type: 'text', text: JSON.stringify(said) }], structuredContent: said }
      })
    } else {
      server.registerTool(name, config, (given) => ({
        content: [{ type: 'text', text: run(given).text }],
      }))
    }
  }
  return server
}
