import { callTool, type CallSettings } from '../calls/call-tool.ts'
import type { ToolEntry } from '../registry/registry.ts'
import { isJsonObject } from '../wire/json.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { findParamMismatch } from './param-headers.ts'
import type { Method } from './protocol.ts'

/** Makes `tools/call` (server/tools, "Calling Tools"). */
export function createToolsCall(tools: readonly ToolEntry[], settings: CallSettings): Method {
  const byName = new Map(tools.map((entry) => [entry.name, entry]))
  return async ({ params }, exchange): Promise<Outcome> => {
    const { name, arguments: input = {} } = params
    const entry = typeof name === 'string' ? byName.get(name) : undefined
    if (entry === undefined) return invalid(`Unknown tool: ${String(name)}`)
    if (!isJsonObject(input)) return invalid('params.arguments must be an object.')
    const why = findParamMismatch(entry.headers, exchange.headers, input)
    if (why !== null) return fail({ kind: 'header-mismatch', why })
    const { default: tool } = await entry.load()
    return { kind: 'result', members: await callTool(entry.name, tool, input, exchange, settings) }
  }
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}
