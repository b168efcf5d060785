import type { HandleKind } from '../define/handle-kind.ts'

/** Describes the argument that carries an id. */
export function toIdSentence({ name, note }: HandleKind, creator: string | null): string {
  return creator === null
    ? `The id of a ${name}. ${note}`
    : `The id of a ${name}, as ${creator} returned it. ${note}`
}

/**
 * Says that an id opens nothing. Unknown, expired, ended, malformed and somebody else's read alike:
 * the answer must not tell whether an id is in use.
 */
export function toGoneSentence({ name }: HandleKind, creator: string | null): string {
  return `There is no such ${name}: it has expired or was ended, or the id is not one of yours. ${toAdvice(name, creator)}`
}

/** Says that a state was stored in a shape that this version of the server cannot read. */
export function toUnreadableSentence({ name, scope }: HandleKind, creator: string | null): string {
  const advice =
    scope === 'caller'
      ? 'Ask the operator of this server to look into it.'
      : toAdvice(name, creator)
  return `This ${name} was stored by another version of the server, and this one cannot read it. ${advice}`
}

/** Says that a caller has as many handles of a kind as are allowed. */
export function toFullSentence({ name, perCaller }: HandleKind): string {
  return `No ${name} was created: there are ${perCaller} of yours already, which is the limit. Use one of them, or end one first.`
}

/** Says that a state has grown over its limit. */
export function toTooLargeSentence({ name }: HandleKind, bytes: number, limit: number): string {
  return `Nothing was changed: the ${name} would take ${bytes} bytes, and ${limit} is the limit. Put less into it, or use another.`
}

/**
 * Says that a value cannot go into or out of a handle, and which part of it.
 *
 * @param deed what somebody did with the value, as "add of basket returned".
 */
export function toNotDataSentence(deed: string, what: string, path: string): string {
  const where = path === '' ? '' : ` at ${path}`
  return (
    `${deed} ${what}${where}. Nothing was changed, as only plain data goes into and out of a handle: ` +
    'text, numbers, booleans, null, undefined, dates, bytes, and arrays, objects, maps and sets of these.'
  )
}

/** Says that a handle is found by its caller, and that this caller did not say who it is. */
export function toAnonymousSentence({ name }: HandleKind): string {
  return `Which ${name} is yours depends on who is calling, and this call did not say who. Sign in, then try again.`
}

function toAdvice(name: string, creator: string | null): string {
  return creator === null
    ? `Create a new ${name} and use its id.`
    : `Create a new one with ${creator} and use the id that it returns.`
}
