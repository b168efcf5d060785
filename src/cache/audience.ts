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
  /** The names or URIs of what this caller may have and not everybody may. */
  readonly visible?: readonly string[]
}

/** What of a registry's entry decides for whom its answers are. */
export interface Addressed {
  /** The name of a tool, or the URI of a resource. */
  readonly key: string
  readonly shared: boolean
  /** Everybody may have it. */
  readonly isOpen: boolean
}

/** The audience of what is the same for everybody who may have it, or is made for one caller. */
export function toAudience({ key, shared, isOpen }: Addressed, caller: Caller | null): Audience {
  return { ...(!shared && { caller }), ...(!isOpen && { visible: [key] }) }
}

/**
 * Whether an audience is one that {@link toAudience} makes for an entry. Another Worker of the account
 * may ask the cached entrypoint, too, and nothing has decided by then what it may have.
 */
export function isAudienceOf({ caller, visible = [] }: Audience, entry: Addressed): boolean {
  return (caller === undefined) === entry.shared && (entry.isOpen || visible.includes(entry.key))
}

/**
 * What an audience is once it was a key: claims may have in them what no key can tell apart, such as a
 * `Set`. `null` where it then is none.
 */
export function toPlainAudience(audience: Audience): Audience | null {
  return readAudience(JSON.parse(JSON.stringify(audience)))
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
