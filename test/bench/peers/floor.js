// the least that a Worker can do for an MCP request: read the JSON, answer a constant
const answer = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: '3 whisks to Ulm' }], resultType: 'complete' },
})

export const serve = () => ({
  async fetch(request) {
    await request.json()
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } })
  },
})
