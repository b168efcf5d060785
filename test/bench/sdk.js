// the same tools on the official SDK, as its documentation has a Worker serve them; plain JavaScript,
// since the types of a package that may not be there would fail the check of all others
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { description, input, names, output, run } from './tools.ts'

export default createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1' })
  for (const name of names) {
    const config = { title: name, description, inputSchema: input, outputSchema: output }
    server.registerTool(name, config, (given) => {
      const said = run(given)
      return { content: [{ type: 'text', text: JSON.stringify(said) }], structuredContent: said }
    })
  }
  return server
})
