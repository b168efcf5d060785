import type { SessionNote } from '../../cache/session-notes.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { type LogLevel, isLogLevel } from '../../protocol/meta.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { State } from '../../state/state.ts'
import type { Sealer } from '../../util/seal.ts'

/** Milliseconds after which a client must send `initialize` again. */
export const sessionLifetime: number = 30 * 86_400_000

/**
 * What a client said in `initialize`. No server stores it: the session id is this value, sealed
 * (2025-11-25, basic/transports, "Session Management").
 */
export interface Session {
  /** Unique to the session, and the same in all its ids. */
  readonly nonce: string
  readonly version: string
  readonly capabilities: JsonObject
  /** The digest of the caller that may use it; empty for an anonymous one. */
  readonly caller: string
  /** Milliseconds since 1970. */
  readonly issued: number
  /** Set by `logging/setLevel`. */
  readonly log?: LogSetting
}

interface LogSetting {
  readonly level: LogLevel
  /** Milliseconds since 1970: a client may have two ids, and the later setting counts. */
  readonly at: number
}

/** Returns when the session can no longer be used, in milliseconds since 1970. */
export function toSessionEnd({ issued }: Session): number {
  return issued + sessionLifetime
}

const maxSessions = 4_096

/** Milliseconds after which an isolate reads again what others noted about a session. */
const notesMs = 60_000

/** The sessions that this isolate knows: opening an id costs more than the rest of a small call. */
export class Sessions {
  /** The name of the server, since several may share a `STATE_KEY`. */
  readonly #server: string
  readonly #opened = new BoundedMap<string, Session>(maxSessions)
  readonly #levels = new BoundedMap<string, LogSetting>(maxSessions)
  readonly #ended = new BoundedMap<string, true>(maxSessions)
  /** When this isolate last read the notes of others, in milliseconds since 1970. */
  readonly #notesReadAt = new BoundedMap<string, number>(maxSessions)

  constructor(server: string) {
    this.#server = server
  }

  /** Returns the session id: visible ASCII, which nobody else can read or create. */
  async seal(session: Session, sealer: Sealer): Promise<string> {
    const id = await sealer.seal(session, this.#server)
    this.#opened.set(id, session)
    // a session without a level begins here, so no other isolate can have noted anything
    if (session.log === undefined) this.#notesReadAt.set(session.nonce, Date.now())
    return id
  }

  /**
   * Opens a session id. Returns `null` if it was forged or changed, belongs to another caller, or has
   * ended, without telling these apart.
   */
  async open(
    id: string,
    caller: string,
    now: number,
    keys: Pick<State, 'hasKey' | 'sealer'>,
  ): Promise<Session | null> {
    const session = this.#opened.get(id) ?? (await this.#open(id, keys))
    // one that began anonymously goes on when its client authenticates, to step up
    if (session === null || (session.caller !== '' && session.caller !== caller)) return null
    if (toSessionEnd(session) <= now) return null
    return this.hasEnded(session) ? null : session
  }

  async #open(id: string, keys: Pick<State, 'hasKey' | 'sealer'>): Promise<Session | null> {
    // a server without a key has sealed no id
    if (!keys.hasKey) return null
    const sealer = await keys.sealer('session')
    const session = readSession(await sealer.open(id, this.#server))
    if (session !== null) this.#opened.set(id, session)
    return session
  }

  /** The level of log messages that the client asked for; `undefined` if it asked for none. */
  levelOf({ nonce, log }: Session): LogLevel | undefined {
    const known = this.#levels.get(nonce)
    return known !== undefined && known.at >= (log?.at ?? 0) ? known.level : log?.level
  }

  setLevel({ nonce }: Session, log: LogSetting): void {
    this.#levels.set(nonce, log)
  }

  /** Refuses the session from now on, in this isolate. */
  end({ nonce }: Session): void {
    this.#ended.set(nonce, true)
  }

  /** Whether this isolate knows that the client has ended the session. */
  hasEnded({ nonce }: Session): boolean {
    return this.#ended.get(nonce) === true
  }

  /** Whether to read the notes of other isolates: at the first request, and once a minute. */
  areNotesDue({ nonce }: Session, now: number): boolean {
    if (now - (this.#notesReadAt.get(nonce) ?? 0) < notesMs) return false
    this.#notesReadAt.set(nonce, now)
    return true
  }

  /** Takes over what another isolate noted, and returns whether the session goes on. */
  applyNote(session: Session, { isEnded = false, log }: SessionNote): boolean {
    const level = readLogSetting(log)
    const known = this.#levels.get(session.nonce)
    if (level !== null && level.at > (known?.at ?? 0)) this.setLevel(session, level)
    if (isEnded) this.end(session)
    return !isEnded
  }
}

function readLogSetting(log: unknown): LogSetting | null {
  if (!isJsonObject(log)) return null
  const { level, at } = log
  return isLogLevel(level) && typeof at === 'number' ? { level, at } : null
}

/** Checks the structure, since an older version may have sealed it. */
function readSession(opened: unknown): Session | null {
  if (!isJsonObject(opened)) return null
  const { nonce, version, capabilities, caller, issued, log } = opened
  if (typeof nonce !== 'string' || typeof version !== 'string') return null
  if (typeof caller !== 'string' || typeof issued !== 'number') return null
  if (!isJsonObject(capabilities)) return null
  const session = { nonce, version, capabilities, caller, issued }
  const setting = readLogSetting(log)
  return setting === null ? session : { ...session, log: setting }
}
