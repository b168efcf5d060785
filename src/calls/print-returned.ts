import type { Tool } from '../define/tool.ts'
import { cutText, toBounded } from './result-cap.ts'
import { isContent, splitReply, toContentMembers, toStructuredMembers } from './tool-result.ts'

/**
 * Prints what a tool returned as the members of its result, within the size that a result may have
 * (server/tools, "Tool Result").
 *
 * @throws {TypeError} when the value is unlike the tool's output schema, or no JSON.
 */
export async function printReturned(
  name: string,
  tool: Tool,
  returned: unknown,
  maxBytes: number,
): Promise<string> {
  return toBounded(name, await print(name, tool, returned, maxBytes), maxBytes)
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
