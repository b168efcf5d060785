import type { HandleKind } from '../define/handle-kind.ts'

export function toIdSentence({ name, note }: HandleKind, creator: string | null): string {
  return creator === null
    ? `The id of a ${name}. ${note}`
    : `The id of a ${name}, as ${creator} returned it. ${note}`
}

/**
 * For an id that opens nothing. One sentence for unknown, expired, ended, malformed and other callers'
 * ids: it must not reveal whether an id is in use.
 */
export function toGoneSentence({ name }: HandleKind, creator: string | null): string {
  return `There is no such ${name}: it has expired or was ended, or the id is not one of yours. ${toAdvice(name, creator)}`
}

export function toUnreadableSentence({ name, scope }: HandleKind, creator: string | null): string {
  const advice =
    scope === 'caller'
      ? 'Ask the operator of this server to look into it.'
      : toAdvice(name, creator)
  return `This ${name} was stored by another version of the server, and this version cannot read it. ${advice}`
}

export function toFullSentence({ name, perCaller }: HandleKind): string {
  return `No ${name} was created: you already have ${perCaller}, which is the limit. Use one of them, or end one first.`
}

export function toTooLargeSentence({ name }: HandleKind, bytes: number, limit: number): string {
  return `Nothing was changed: the ${name} would take ${bytes} bytes, and the limit is ${limit}. Store less in it, or use another ${name}.`
}

/**
 * For a value that cannot go into or out of a handle, and which part of it.
 *
 * @param action what was done with the value, as "add of basket returned".
 */
export function toNotPlainSentence(action: string, what: string, path: string): string {
  const where = path === '' ? '' : ` at ${path}`
  return (
    `${action} ${what}${where}. Nothing was changed. Only plain data can go into and out of a handle: ` +
    'text, numbers, booleans, null, undefined, dates, bytes, and arrays, objects, maps and sets of these.'
  )
}

/** For a handle that is found by its caller, in an anonymous call. */
export function toAnonymousSentence({ name }: HandleKind): string {
  return `Which ${name} is yours depends on the caller, and this call is anonymous. Sign in, then try again.`
}

function toAdvice(name: string, creator: string | null): string {
  return creator === null
    ? `Create a new ${name} and use its id.`
    : `Create a new one with ${creator} and use the id that it returns.`
}
