/**
 * Logs why callers could not be told apart, as one JSON line, and gives back the id under which it
 * stands there. Clients get the id: the text may name hosts that are not for them.
 */
export function logOutage(error: unknown): string {
  const errorId = crypto.randomUUID()
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  console.error(JSON.stringify({ level: 'error', errorId, what: 'authentication', detail }))
  return errorId
}
