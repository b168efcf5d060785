import { ToolError } from '../../define/tool-error.ts'

/**
 * Gives printed text back, unless it has more bytes of UTF-8 than one result may have.
 *
 * @throws {ToolError} which says so to whoever asked.
 */
export function checkSize(what: string, printed: string, maxBytes: number): string {
  // a UTF-16 unit is at most three bytes of UTF-8: most results need no counting
  if (printed.length * 3 <= maxBytes) return printed
  if (new TextEncoder().encode(printed).byteLength > maxBytes) throw tooLarge(what, maxBytes)
  return printed
}

/** The error for a result that is larger than one may be. */
export function tooLarge(what: string, maxBytes: number): ToolError {
  return new ToolError(
    `${what} has more than ${maxBytes} bytes, and this server sends no more in one result. ` +
      'Ask for a part of it, where it has parts.',
  )
}
