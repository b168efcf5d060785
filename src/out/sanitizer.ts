import type {
  BlobResourceContents,
  Content,
  PromptMessage,
  TextResourceContents,
} from '../protocol/content.ts'
import type { Mask } from './mask.ts'
import { createMask, readSecretValues } from './mask.ts'
import { sanitizeText } from './hidden-characters.ts'

/** What happens to everything that goes out. */
export interface Sanitizer {
  readonly text: (text: string) => string
  /** For JSON text: its strings and keys. */
  readonly json: (json: string) => string
  /** Only masks secrets, for the Worker's log. */
  readonly mask: Mask
}

/** Gives the sanitizer of a Worker's `env`. */
export type OpenSanitizer = (env: object) => Sanitizer

/** Makes what reads the secrets once for each `env`, which is the same one request after request. */
export function createSanitizers(vars: readonly string[]): OpenSanitizer {
  const names = new Set(vars)
  let kept: { readonly env: object; readonly sanitizer: Sanitizer } | null = null
  return (env) => {
    if (kept?.env !== env) kept = { env, sanitizer: createSanitizer(readSecretValues(env, names)) }
    return kept.sanitizer
  }
}

/** Makes a sanitizer that removes what nobody sees, and masks these secrets. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
  const mask = createMask(secrets)
  // masked last: an invisible character inside a secret must not save it
  const text = (dirty: string): string => mask(sanitizeText(dirty))
  // never masked as a whole: a secret of digits may stand there as a number
  const json = (dirty: string): string =>
    isCleanJson(dirty) && mask(dirty) === dirty ? dirty : sanitizeJson(dirty, text)
  return { text, json, mask }
}

/**
 * What a tool's own setting makes of the sanitizer: `false` lets everything out as it is; a function
 * takes the place of the rules, and secrets are masked in what it gives.
 */
export function toToolSanitizer(
  sanitizer: Sanitizer,
  own: false | ((text: string) => string) | undefined,
): Sanitizer {
  if (own === undefined) return sanitizer
  const { mask } = sanitizer
  if (own === false) return { text: (text) => text, json: (json) => json, mask }
  const text = (dirty: string): string => mask(own(dirty))
  return { text, json: (json) => sanitizeJson(json, text), mask }
}

/** Every string of JSON text, keys too. Unrolled: an alternation would need a stack as long as they. */
const literal = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * Sanitises the strings and keys of a value that is JSON text already. The text is not taken apart:
 * numbers, order and depth stay as they were printed.
 */
export function sanitizeJson(json: string, sanitize: (text: string) => string): string {
  return json.replace(literal, (printed) => {
    const text: unknown = JSON.parse(printed)
    if (typeof text !== 'string') return printed
    const clean = sanitize(text)
    return clean === text ? printed : JSON.stringify(clean)
  })
}

/**
 * What JSON text has of which `sanitizeText` could remove something. JSON.stringify prints the
 * controls below U+0020 as escapes and everything else as it is.
 */
const suspect = /\\(?:[bf]|u00|r(?!\\n))|[\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u

/** Tells JSON text that is surely clean, at a glance, from text that has to be looked into. */
function isCleanJson(json: string): boolean {
  return !suspect.test(json)
}

/*
 * What of a content block is text for a reader. Images, audio and URIs are left alone: a link that is
 * changed leads elsewhere.
 */

/** Sanitises one content block. */
export function sanitizeBlock(block: Content, sanitizer: Sanitizer): Content {
  switch (block.type) {
    case 'text':
      return { ...block, text: sanitizer.text(block.text) }
    case 'resource':
      return { ...block, resource: sanitizeContents(block.resource, sanitizer) }
    case 'resource_link': {
      const { name, title, description } = block
      return {
        ...block,
        name: sanitizer.text(name),
        ...(title !== undefined && { title: sanitizer.text(title) }),
        ...(description !== undefined && { description: sanitizer.text(description) }),
      }
    }
    case 'image':
    case 'audio':
      return block
  }
}

/** Sanitises the contents of one resource. */
export function sanitizeContents<Contents extends TextResourceContents | BlobResourceContents>(
  contents: Contents,
  sanitizer: Sanitizer,
): Contents {
  return 'text' in contents ? { ...contents, text: sanitizer.text(contents.text) } : contents
}

/** Sanitises one message of a prompt. */
export function sanitizeMessage(message: PromptMessage, sanitizer: Sanitizer): PromptMessage {
  return { ...message, content: sanitizeBlock(message.content, sanitizer) }
}
