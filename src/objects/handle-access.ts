import { toExpiry } from './handle-expiry.ts'
import type { HandleRecord } from './handle-record.ts'

/** Decides whether a caller may use the handle now. Owners are compared here and nowhere else. */
export function isUsableBy(
  record: HandleRecord,
  kind: string,
  caller: string | null,
  now: number,
): boolean {
  const isOwner = record.caller === null || record.caller === caller
  return isOwner && record.kind === kind && now < toExpiry(record)
}
