import type { Caller } from '../wire/caller.ts'
import { isJsonObject, isTexts } from '../wire/json.ts'

/**
 * What an answer may depend on besides its method and its parameters. It is a part of the key, and it
 * is all that the answer is made from: what is not in here cannot get into what others are sent.
 */
export interface Audience {
  /**
   * Who asks, all of it, as an author's code may look at all of it; `null` for nobody. Not there where
   * the code is not told.
   */
  readonly caller?: Caller | null
  /** The URIs of what else this caller may see, where not everybody sees everything. */
  readonly visible?: readonly string[]
}

/** The audience of what is the same for everybody, or is made for one caller. */
export function toAudience(shared: boolean, caller: Caller | null): Audience {
  return shared ? {} : { caller }
}

/** Reads an audience that came as `ctx.props`; `null` for anything else. */
export function readAudience(props: unknown): Audience | null {
  if (!isJsonObject(props)) return null
  const { caller, visible } = props
  if (caller !== undefined && caller !== null && !isCaller(caller)) return null
  if (visible !== undefined && !isTexts(visible)) return null
  return { ...(caller !== undefined && { caller }), ...(visible !== undefined && { visible }) }
}

function isCaller(value: unknown): value is Caller {
  if (!isJsonObject(value)) return false
  const { subject, issuer, client, scopes, claims, expires } = value
  return (
    typeof subject === 'string' &&
    [issuer, client].every((text) => text === undefined || typeof text === 'string') &&
    isTexts(scopes) &&
    isJsonObject(claims) &&
    (expires === undefined || typeof expires === 'number')
  )
}
