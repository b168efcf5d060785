import { isJsonObject } from '../protocol/json.ts'

/** The key of a {@link HandleRecord} in the storage of its object. */
export const handleKey = 'handle'

/** What the object of a handle stores; see docs/storage.md. */
export interface HandleRecord {
  readonly kind: string
  /** The digest of the caller that created it; `null` lets every caller with the id use it. */
  readonly caller: string | null
  /** Milliseconds since 1970, as are the other times. */
  readonly createdAt: number
  /** The last use that was written down, at most a tenth of the idle time before the last use. */
  readonly usedAt: number
  /** The lifetime that the creator was promised: a later version of the kind does not change it. */
  readonly idleMs: number
  readonly endsAt: number
  /** The state as JSON in UTF-8. As text it would be stored in two bytes a character. */
  readonly state: Uint8Array
}

/** Reads a record that any version of the server stored; `null` for anything else. */
export function readHandleRecord(value: unknown): HandleRecord | null {
  if (!isJsonObject(value)) return null
  const { kind, caller, createdAt, usedAt, idleMs, endsAt, state } = value
  return typeof kind === 'string' &&
    (typeof caller === 'string' || caller === null) &&
    typeof createdAt === 'number' &&
    typeof usedAt === 'number' &&
    typeof idleMs === 'number' &&
    typeof endsAt === 'number' &&
    state instanceof Uint8Array
    ? { kind, caller, createdAt, usedAt, idleMs, endsAt, state }
    : null
}
