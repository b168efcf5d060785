import { callTool } from '../calls/call-tool.ts'
import type { CallSettings } from '../calls/call.ts'
import type { ToolEntry } from '../registry/entries.ts'
import { isJsonObject } from '../wire/json.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { refuse } from './admit.ts'
import { createListMethod } from './lists.ts'
import type { MethodSettings } from './method-settings.ts'
import { findParamMismatch } from './param-headers.ts'
import type { Method, Methods } from './protocol.ts'

/** Makes the methods of the tools there are; none where there are none (server/tools). */
export function createToolMethods(
  entries: readonly ToolEntry[],
  settings: MethodSettings,
): Methods {
  if (entries.length === 0) return new Map()
  const listed = entries.map((entry) => ({ ...entry, key: entry.name }))
  return new Map([
    ['tools/list', createListMethod('tools', listed, settings)],
    ['tools/call', createToolsCall(entries, settings)],
  ])
}

function createToolsCall(entries: readonly ToolEntry[], settings: CallSettings): Method {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return async ({ params }, exchange, envelope): Promise<Outcome> => {
    const { name, arguments: input = {} } = params
    const entry = typeof name === 'string' ? byName.get(name) : undefined
    const unknown = (): Outcome => invalid(`Unknown tool: ${String(name)}`)
    if (entry === undefined) return unknown()
    const refused = await refuse(entry, exchange, unknown)
    if (refused !== null) return refused
    if (!isJsonObject(input)) return invalid('params.arguments must be an object.')
    const why = findParamMismatch(entry.headers, exchange.headers, input)
    if (why !== null) return fail({ kind: 'header-mismatch', why })
    const { default: tool } = await entry.load()
    const call = { name: entry.name, input, params, exchange, envelope }
    return callTool({ method: 'tools/call', ...call }, tool, settings)
  }
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}
