/** Takes secrets out of a text. */
export type Mask = (text: string) => string

/** Gives what takes the secrets of a Worker's `env` out of a text. */
export type OpenMask = (env: object) => Mask

/**
 * Writes an error to the Worker's log as one JSON line, and gives back the id under which it stands
 * there. Clients get the id and never the text: a message may carry hosts, queries or secrets.
 */
export function logIncident(what: string, error: unknown, mask: Mask): string {
  const errorId = crypto.randomUUID()
  const detail = mask(toDetail(error))
  console.error(JSON.stringify({ level: 'error', errorId, what, detail }))
  return errorId
}

/** Prints an error with its stack. What a database or a fetch really said tends to be its cause. */
export function toDetail(error: unknown, causes = 3): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.stack ?? error.message
  // a chain of causes may also be a circle
  if (error.cause === undefined || causes === 0) return text
  return `${text}\nCaused by: ${toDetail(error.cause, causes - 1)}`
}

/** Writes what an author should know, though the request went on, to the Worker's log. */
export function logNotice(what: string, detail: string): void {
  console.warn(JSON.stringify({ level: 'warn', what, detail }))
}
