import type { Mask } from '../../kit/incident.ts'
import { isCleanJson, sanitizeJson } from './json.ts'
import { createMask } from './mask.ts'
import { readSecretValues } from './secrets.ts'
import { sanitizeText } from './text.ts'

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
