import process from 'node:process'
import { type AskedInput, type ListedTool, createClient } from '../../src/client/client.ts'
import { isJsonObject } from '../../src/protocol/json.ts'

/*
 * What the official suite runs as the client: it asks the server at the URL for everything, and calls each tool.
 */

const { MCP_CONFORMANCE_CONTEXT = '{}' } = process.env
const url = process.argv.at(-1) ?? ''
const client = createClient({ url, answers: answer })

await client.discover().catch(report)
const tools = await client.listTools().catch(report)
for (const { name, args } of readCalls() ?? (tools ?? []).map(toCall)) {
  // oxlint-disable-next-line no-await-in-loop -- the suite follows the order
  await client.callTool(name, args).catch(report)
}
for (const { uri } of (await client.listResources().catch(report)) ?? []) {
  // oxlint-disable-next-line no-await-in-loop -- as above
  await client.readResource(uri).catch(report)
}
for (const { name } of (await client.listPrompts().catch(report)) ?? []) {
  // oxlint-disable-next-line no-await-in-loop -- as above
  await client.getPrompt(name).catch(report)
}

interface Call {
  readonly name: string
  readonly args: object
}

/** The calls that the scenario wants, if it has any. */
function readCalls(): readonly Call[] | null {
  const context: unknown = JSON.parse(MCP_CONFORMANCE_CONTEXT)
  if (!isJsonObject(context) || !Array.isArray(context['toolCalls'])) return null
  return context['toolCalls'].map(({ name, arguments: args }) => ({ name, args }))
}

/** Numbers, and the schema of the first tool, which one scenario wants back. */
function toCall({ name }: ListedTool): Call {
  return { name, args: { a: 5, b: 3, schema: tools?.[0]?.inputSchema } }
}

function answer(asked: AskedInput) {
  if (asked.kind !== 'form') return 'accept'
  const fields = Object.entries(asked.schema.properties)
  return Object.fromEntries(
    fields.map(([name, { type }]) => [name, type === 'string' ? 'x' : true]),
  )
}

function report(error: unknown): undefined {
  console.error(error)
}
