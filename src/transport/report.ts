/**
 * Logs an error as one JSON line under the id that the client was given. The client reads the id
 * and nothing else, since an error's text may hold hosts, queries or passwords.
 */
export function reportError(errorId: string, method: string, error: unknown): void {
  console.error(JSON.stringify({ level: 'error', errorId, method, error: toText(error) }))
}

// what a database or a fetch really said tends to be in the cause; a chain may also be a circle
function toText(error: unknown, causes = 3): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.stack ?? error.message
  if (error.cause === undefined || causes === 0) return text
  return `${text}\nCaused by: ${toText(error.cause, causes - 1)}`
}
