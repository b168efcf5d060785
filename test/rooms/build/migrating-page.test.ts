import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readModules } from '../../support/doc-modules.ts'
import { startWranglerDev } from '../../support/wrangler-dev.ts'
import { createTemporaryProject } from './temporary-project.ts'

/* docs/migrating.md: the server before and the one after are the same for a client. */

const root = join(import.meta.dirname, '../../..')
const text = await readFile(join(root, 'docs/migrating.md'), 'utf8')
const modules = readModules({ path: 'docs/migrating.md', text })

async function startPage(main: string, build: string): Promise<Client> {
  const project = await createTemporaryProject({
    ...Object.fromEntries(modules.map(({ file, text }) => [file, text])),
    'wrangler.toml': `name = "page"
main = "${main}"
compatibility_date = "2026-11-02"
${build}`,
  })
  const server = await startWranglerDev({ cwd: project.root })
  onTestFinished(() => server.stop())
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  onTestFinished(() => client.close())
  return client
}

async function look(client: Client) {
  const { tools } = await client.listTools()
  const tool = tools.find(({ name }) => name === 'find_price')
  const args = { sku: 'knife' }
  const { messages } = await client.getPrompt({ name: 'recommend', arguments: { person: 'Ada' } })
  return {
    server: client.getServerVersion(),
    tool: {
      name: tool?.name,
      description: tool?.description,
      properties: tool?.inputSchema.properties,
      readOnly: tool?.annotations?.readOnlyHint,
    },
    result: (await client.callTool({ name: 'find_price', arguments: args })).structuredContent,
    resources: (await client.listResources()).resources.map(({ name, uri }) => ({ name, uri })),
    read: (await client.readResource({ uri: 'shop://hours' })).contents,
    messages,
  }
}

test('a client of the official SDK finds the same server before and after', async () => {
  const before = await look(await startPage('before/worker.ts', ''))
  const after = await startPage(
    'src/worker.ts',
    `[build]
command = '"${process.execPath}" "${join(root, 'src/cli/helve.ts')}" build'
watch_dir = "tools"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["Handles", "Hub", "Bridge"]`,
  )
  const tools = (await after.listTools()).tools.map(({ name }) => name)
  // the page has the counter of an McpAgent as well
  expect(tools).toEqual(['count', 'find_price'])
  expect(await look(after)).toEqual(before)
})
