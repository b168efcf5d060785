/** Writes what an author should know, though the request went on, to the Worker's log. */
export function logNotice(what: string, detail: string): void {
  console.warn(JSON.stringify({ level: 'warn', what, detail }))
}
