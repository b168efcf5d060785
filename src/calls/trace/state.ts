import { trimListMember } from './trim.ts'

const maxLength = 512
const maxMembers = 32

const key = String.raw`[a-z0-9][a-z0-9_\-*/]{0,240}(?:@[a-z][a-z0-9_\-*/]{0,13})?|[a-z][a-z0-9_\-*/]{0,255}`
/** Visible ASCII and spaces inside, without comma and equals sign. */
const value = String.raw`[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]`
const member = new RegExp(`^(${key})=${value}$`)

/** Reads a `tracestate`; one with any fault is not passed on (W3C Trace Context, section 3.3). */
export function readTraceState(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxLength) return null
  // an empty member between two commas is allowed, and says nothing
  const members = text
    .split(',')
    .map(trimListMember)
    .filter((one) => one !== '')
  const keys = members.map((one) => member.exec(one)?.[1])
  if (members.length === 0 || members.length > maxMembers || keys.includes(undefined)) return null
  return new Set(keys).size === keys.length ? members.join(',') : null
}
