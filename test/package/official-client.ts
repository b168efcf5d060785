import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import { connectV1 } from '../support/v1-client.ts'
import { startWranglerDev } from '../support/wrangler-dev.ts'

/** Serves a project that has the first tool, calls it with both versions of the official client, and returns the URL. */
export async function expectFirstCalls(folder: string): Promise<string> {
  const server = await startWranglerDev({ cwd: folder })
  onTestFinished(() => server.stop())
  const call = { name: 'count_words', arguments: { text: 'to be or not to be' } }
  const answer = { structuredContent: { words: 6 } }
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  onTestFinished(() => client.close())
  expect(await client.callTool(call)).toMatchObject(answer)
  const { client: v1 } = await connectV1(`${server.url}/mcp`)
  expect(await v1.callTool(call)).toMatchObject(answer)
  return server.url
}
