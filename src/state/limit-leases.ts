import { isJsonObject } from '../wire/json.ts'

/** One call that is running, until it says that it has ended, or until its time is over. */
export interface Lease {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** How many calls may run at once, and how long one may take at most. */
export interface LeaseRule {
  readonly most: number
  readonly ms: number
}

export type LeaseAnswer =
  | { readonly allowed: true }
  /** When the first of the running calls ends at the latest. */
  | { readonly allowed: false; readonly retryMs: number }

/** Adds a lease, if there is room. Those whose time is over are gone either way. */
export function takeLease(
  leases: readonly Lease[],
  id: string,
  { most, ms }: LeaseRule,
  now: number,
): { readonly leases: readonly Lease[]; readonly answer: LeaseAnswer } {
  const running = dropEnded(leases, now)
  if (running.length < most) {
    return { leases: [...running, { id, until: now + ms }], answer: { allowed: true } }
  }
  const first = Math.min(...running.map(({ until }) => until))
  return { leases: running, answer: { allowed: false, retryMs: first - now } }
}

/** The leases whose time is not over: a Worker that died could not end its own. */
export function dropEnded(leases: readonly Lease[], now: number): readonly Lease[] {
  return leases.filter(({ until }) => now < until)
}

/** Reads the leases that some version of the server stored; none where it stored something else. */
export function readLeases(value: unknown): readonly Lease[] {
  const stored: readonly unknown[] = Array.isArray(value) ? value : []
  return stored.filter(isLease)
}

function isLease(value: unknown): value is Lease {
  return (
    isJsonObject(value) && typeof value['id'] === 'string' && typeof value['until'] === 'number'
  )
}
