import * as z from 'zod'
import { toModernRequest } from './modern-request.ts'

const reply = z.object({
  result: z.object({
    isError: z.boolean().default(false),
    structuredContent: z.record(z.string(), z.unknown()).default({}),
    content: z.array(z.object({ text: z.string() })).default([]),
    requestState: z.string().optional(),
  }),
})

/** What a tool call came to. */
export interface ToolResult {
  readonly isError: boolean
  /** The structured value; empty where there is none. */
  readonly value: Readonly<Record<string, unknown>>
  /** The first text; empty where there is none. */
  readonly text: string
  /** There where the tool has questions. */
  readonly requestState: string | undefined
}

/**
 * Calls a tool as a client that can answer forms.
 *
 * @param round the answers and the state of a further round.
 * @throws {TypeError} where the server breaks down meanwhile.
 */
export async function callTool(
  endpoint: string,
  name: string,
  input: object = {},
  round: object = {},
): Promise<ToolResult> {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  const params = { name, arguments: input, ...round }
  // whatever takes long would else come as a stream
  const changes = { meta, headers: { Accept: 'application/json' } }
  const response = await fetch(toModernRequest(endpoint, 'tools/call', params, changes))
  const { result } = reply.parse(await response.json())
  return {
    isError: result.isError,
    value: result.structuredContent,
    text: result.content[0]?.text ?? '',
    requestState: result.requestState,
  }
}
