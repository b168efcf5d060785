import { ToolError } from '../define/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { toMilliseconds } from '../kit/duration.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { JsonObject } from '../wire/json.ts'
import { logIncident } from './incident.ts'
import { isOverLimit } from './rate-limit.ts'
import { cutText, toBounded } from './result-cap.ts'
import { runWithin, TimeLimitExceeded } from './time-limit.ts'
import {
  isContent,
  splitReply,
  toContentMembers,
  toErrorMembers,
  toStructuredMembers,
} from './tool-result.ts'

/** What every call of this Worker has in common. */
export interface CallSettings {
  /** How many bytes of UTF-8 one result may have. */
  readonly maxResultBytes: number
}

const defaultTimeout = '30s'

/**
 * Runs one tool call and prints the members of its result. Whatever goes wrong inside a tool is a
 * result too, marked `isError`, since the model is the one who can do something about it
 * (server/tools, "Error Handling").
 */
export async function callTool(
  name: string,
  tool: Tool,
  input: JsonObject,
  exchange: Exchange,
  { maxResultBytes }: CallSettings,
): Promise<string> {
  try {
    if (await isOverLimit(name, tool.definition.limit, exchange)) {
      return toErrorMembers(`Too many calls of ${name}. Wait a minute, then try again.`)
    }
    const checked = await tool.checkInput(input)
    if (!checked.ok) {
      return toErrorMembers(`${name} was not run. ${checked.problems.join(' ')}`)
    }
    const limit = toMilliseconds(tool.definition.timeout ?? defaultTimeout)
    const returned = await runWithin(limit, exchange.signal, (signal) =>
      tool.definition.run({ input: checked.value, env: exchange.env, signal }),
    )
    return toBounded(name, await print(name, tool, returned, maxResultBytes), maxResultBytes)
  } catch (error) {
    return toErrorMembers(explain(name, tool, error))
  }
}

async function print(
  name: string,
  tool: Tool,
  returned: unknown,
  maxBytes: number,
): Promise<string> {
  if (tool.checkOutput === null) {
    if (typeof returned === 'string') return toContentMembers(cutText(returned, maxBytes))
    if (isContent(returned)) return toContentMembers(returned)
    throw new TypeError(`${name} has no output schema, so it must return text or content.`)
  }
  const { value, content } = splitReply(returned)
  const checked = await tool.checkOutput(value)
  if (!checked.ok) {
    throw new TypeError(`${name} returned a value unlike its output: ${checked.problems.join(' ')}`)
  }
  const json: string | undefined = JSON.stringify(checked.value)
  if (json === undefined) throw new TypeError(`${name} returned nothing that JSON can carry.`)
  return toStructuredMembers(json, content)
}

function explain(name: string, tool: Tool, error: unknown): string {
  if (error instanceof ToolError) return error.message
  if (error instanceof TimeLimitExceeded) {
    const limit = tool.definition.timeout ?? defaultTimeout
    return `${name} did not finish within ${limit} and was stopped. Ask for less, or try again later.`
  }
  const errorId = logIncident(`tools/call ${name}`, error)
  return `${name} failed because of a fault on the server, not of your input. Error id: ${errorId}.`
}
