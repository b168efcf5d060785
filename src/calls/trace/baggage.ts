import { trimListMember as trim } from './trim.ts'

const maxLength = 8_192
const maxMembers = 64

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const value = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** Reads a `baggage`; one with any fault is not passed on (W3C Baggage, section 3.2). */
export function readBaggage(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxLength) return null
  const members = text.split(',').map(trim)
  return members.length <= maxMembers && members.every(isMember) ? members.join(',') : null
}

// taken apart and not matched whole: spaces around every part make such an expression explode
function isMember(member: string): boolean {
  const [pair = '', ...properties] = member.split(';').map(trim)
  return isPair(pair) && properties.every((property) => token.test(property) || isPair(property))
}

function isPair(text: string): boolean {
  const at = text.indexOf('=')
  return at > 0 && token.test(trim(text.slice(0, at))) && value.test(trim(text.slice(at + 1)))
}
