import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exports } from 'cloudflare:workers'

const url = 'http://localhost/mcp'
const send: typeof fetch = (input, init) => exports.default.fetch(input, init)

/** Connects the official client to the Worker. */
export async function connect(): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: send }))
  return client
}
