import type { Mask } from './sanitize-mask.ts'

const same: Mask = (text) => text

/**
 * Writes an error to the Worker's log in full and gives back the id under which it stands there.
 * Clients get the id and never the text: a message may carry hosts, queries or secrets.
 */
export function logIncident(what: string, error: unknown, mask: Mask = same): string {
  const errorId = crypto.randomUUID()
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  console.error(JSON.stringify({ level: 'error', errorId, what, detail: mask(detail) }))
  return errorId
}
