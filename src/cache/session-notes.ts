import { isJsonObject } from '../protocol/json.ts'

/**
 * What one isolate tells the others of its data centre about a session, through the Cache API: no
 * Durable Object is woken for it.
 */
export interface SessionNote {
  /** The client has ended the session. */
  readonly isEnded?: boolean
  /** What `logging/setLevel` set. */
  readonly log?: unknown
}

/**
 * Leaves a note until the session can no longer be used (milliseconds since 1970). An isolate that
 * has not heard of the session's end may set a level, and the end stays noted.
 */
export async function writeSessionNote(
  nonce: string,
  note: SessionNote,
  until: number,
): Promise<void> {
  const seconds = Math.ceil((until - Date.now()) / 1_000)
  const headers = { 'Cache-Control': `max-age=${seconds}` }
  try {
    const cache = await caches.open('helve')
    const isEnded = note.isEnded ?? (await readSessionNote(nonce))?.isEnded
    const text = JSON.stringify({ ...note, isEnded })
    await cache.put(toKey(nonce), new Response(text, { headers }))
  } catch {
    // a Worker without a cache, as on workerd alone: other isolates do not hear of it
  }
}

/** Reads a note; `null` without one. */
export async function readSessionNote(nonce: string): Promise<SessionNote | null> {
  try {
    const cache = await caches.open('helve')
    const note: unknown = await (await cache.match(toKey(nonce)))?.json()
    return isJsonObject(note) ? { isEnded: note['isEnded'] === true, log: note['log'] } : null
  } catch {
    return null
  }
}

function toKey(nonce: string): string {
  return `https://sessions.invalid/${nonce}`
}
