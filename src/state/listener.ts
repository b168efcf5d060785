import { isJsonObject, isTexts } from '../wire/json.ts'

/** The lists of MCP that can change. */
export type ListKind = 'tools' | 'prompts' | 'resources'

/** Every {@link ListKind}, in the order in which changes are told. */
export const listKinds: readonly ListKind[] = ['tools', 'prompts', 'resources']

/** One open `subscriptions/listen` request as the hub knows it. */
export interface Listener {
  readonly lists: readonly ListKind[]
  readonly uris: readonly string[]
  /** What its caller may see: an event that needs more passes it by. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970 after which it hears nothing more. */
  readonly until: number
  /** The digest of the registry that it listens from. */
  readonly digest: string
}

/**
 * Bytes that a printed listener may have. It lives in the attachment of its WebSocket, which the
 * platform limits to 16,384 with its own overhead, so that a sleeping hub keeps it at no cost.
 */
export const maxListenerBytes = 16_000

/** Prints a listener in ASCII: it travels in a header, and one character is one byte kept. */
export function toListenerText(listener: Listener): string {
  return JSON.stringify(listener).replaceAll(/[\u007f-\uffff]/g, toEscape)
}

/** Reads what {@link toListenerText} printed, in this version or another; `null` for all else. */
export function readListener(text: string): Listener | null {
  const value = parse(text)
  if (!isJsonObject(value)) return null
  const { lists, uris, scopes, until, digest } = value
  if (!isTexts(lists) || !isTexts(uris) || !isTexts(scopes)) return null
  if (typeof until !== 'number' || typeof digest !== 'string') return null
  return { lists: lists.filter(isListKind), uris, scopes, until, digest }
}

/** Tells a {@link ListKind} from any other text. */
export function isListKind(text: string): text is ListKind {
  return listKinds.some((kind) => kind === text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
