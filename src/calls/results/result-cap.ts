import { surelyFits } from './cut-text.ts'
import { toErrorMembers } from './tool-result.ts'

/**
 * A result that is too long for the reply becomes an `isError` result that says so: JSON that is cut
 * short parses no more, and a model that is told the sizes can ask for less.
 */
export function toBounded(name: string, members: string, maxBytes: number): string {
  if (surelyFits(members, maxBytes)) return members
  const bytes = new TextEncoder().encode(members).byteLength
  if (bytes <= maxBytes) return members
  return toErrorMembers(
    `The result of ${name} has ${bytes} bytes; this server sends at most ${maxBytes}. ` +
      'Ask for less, such as fewer items or a narrower range.',
  )
}
