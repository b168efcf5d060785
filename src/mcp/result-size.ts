import { ToolError } from '../define/reply.ts'

/**
 * Returns the text if it fits into one result.
 *
 * @throws {ToolError} when it has more than `maxBytes` bytes of UTF-8.
 */
export function checkSize(what: string, printed: string, maxBytes: number): string {
  // a UTF-16 unit is at most three bytes of UTF-8, so most results need not be counted
  if (printed.length * 3 <= maxBytes) return printed
  if (new TextEncoder().encode(printed).byteLength > maxBytes) throw tooLarge(what, maxBytes)
  return printed
}

export function tooLarge(what: string, maxBytes: number): ToolError {
  return new ToolError(
    `${what} has more than ${maxBytes} bytes, the most that this server sends in one result. ` +
      'Ask for a part of it, if it has parts.',
  )
}
