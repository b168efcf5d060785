import { isJsonObject } from '../wire/json.ts'

/** What the object of a handle stores under the key `handle`; see docs/storage.md. */
export interface HandleRecord {
  readonly kind: string
  /** The digest of the caller that created it; `null` makes the id a bearer's. */
  readonly caller: string | null
  /** Milliseconds since 1970, as are the other times. */
  readonly createdAt: number
  /** When it was last used, at most a tenth of the idle time ago. */
  readonly usedAt: number
  /** The lifetime that its creator was told: a later version of the kind does not change it. */
  readonly idleMs: number
  readonly endsAt: number
  /** The state as JSON in UTF-8. As text it would be stored in two bytes a character. */
  readonly state: Uint8Array
}

/** Reads a record that some version of the server stored; `null` where it is none. */
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

/**
 * When the handle expires unless it is used again. A read may leave `usedAt` a tenth of the idle
 * time behind, so that much is added: nobody loses a handle before the time that they were told.
 */
export function toExpiry({ usedAt, idleMs, endsAt }: HandleRecord): number {
  return Math.min(usedAt + idleMs + toGrain(idleMs), endsAt)
}

/** Tells whether a read must write down that it happened. */
export function isUseDue({ usedAt, idleMs }: HandleRecord, now: number): boolean {
  return now - usedAt >= toGrain(idleMs)
}

/** Tells whether a caller may use the handle now. This is the one place that compares owners. */
export function isOpenTo(
  record: HandleRecord,
  kind: string,
  caller: string | null,
  now: number,
): boolean {
  const isOwner = record.caller === null || record.caller === caller
  return isOwner && record.kind === kind && now < toExpiry(record)
}

function toGrain(idleMs: number): number {
  return idleMs / 10
}
