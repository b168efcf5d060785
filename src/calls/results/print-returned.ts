import type { Tool } from '../../define/tool.ts'
import { follow } from '../../kit/follow.ts'
import type { Checked } from '../../schema/check.ts'
import type { Content } from '../../wire/content.ts'
import { cutText } from './cut-text.ts'
import { toExactJson } from './exact-json.ts'
import { toBounded } from './result-cap.ts'
import { sanitizeBlock } from '../sanitize/content.ts'
import type { Sanitizer } from '../sanitize/sanitizer.ts'
import { isContent, splitReply, toContentMembers, toStructuredMembers } from './tool-result.ts'

/**
 * Prints what a tool returned as the members of its result, within the size that a result may have
 * (server/tools, "Tool Result").
 *
 * @throws {TypeError} when the value is unlike the tool's output schema, or no JSON.
 */
export function printReturned(
  name: string,
  tool: Tool,
  returned: unknown,
  sanitizer: Sanitizer,
  maxBytes: number,
): string | Promise<string> {
  if (tool.checkOutput === null) {
    return toBounded(name, printFree(name, returned, sanitizer, maxBytes), maxBytes)
  }
  const { value, content } = splitReply(returned)
  return follow(tool.checkOutput(value), (checked) => {
    return toBounded(name, printChecked(name, checked, content, sanitizer), maxBytes)
  })
}

/** Prints what a tool without an output schema returned. */
function printFree(
  name: string,
  returned: unknown,
  sanitizer: Sanitizer,
  maxBytes: number,
): string {
  if (typeof returned === 'string') {
    return toContentMembers([{ type: 'text', text: cutText(sanitizer.text(returned), maxBytes) }])
  }
  if (isContent(returned)) {
    return toContentMembers([returned].flat().map((block) => sanitizeBlock(block, sanitizer)))
  }
  throw new TypeError(`${name} has no output schema, so it must return text or content.`)
}

function printChecked(
  name: string,
  checked: Checked,
  content: readonly Content[],
  sanitizer: Sanitizer,
): string {
  if (!checked.ok) {
    throw new TypeError(`${name} returned a value unlike its output: ${checked.problems.join(' ')}`)
  }
  const blocks = content.map((block) => sanitizeBlock(block, sanitizer))
  // before it is used twice: in the copy its escapes are doubled, and nobody would know them again
  return toStructuredMembers(sanitizer.json(toExactJson(name, checked.value)), blocks)
}
