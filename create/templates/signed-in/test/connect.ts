import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exports } from 'cloudflare:workers'
import { signIn } from './sign-in.ts'

const url = 'http://localhost/mcp'
const send: typeof fetch = (input, init) => exports.default.fetch(input, init)

/** Connects the official client to the Worker, as a caller who is signed in. */
export async function connect(): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  const headers = { Authorization: `Bearer ${await signIn(url)}` }
  const requestInit = { headers }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { fetch: send, requestInit }),
  )
  return client
}
