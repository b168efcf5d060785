import { isJsonObject } from '../wire/json.ts'
import type { AskedQuestion } from './question.ts'

/** A folder or file that the user works in. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string
}

/**
 * Asks which folders the user works in. They are a hint and no permission. The specification's page
 * is client/roots.
 *
 * @deprecated The protocol deprecates roots (SEP-2577): take folders as arguments instead.
 */
export function roots(): AskedQuestion<readonly Root[]> {
  return {
    request: { method: 'roots/list' },
    capability: 'roots',
    unasked: 'ignore',
    read(response) {
      const answer = readRoots(response)
      return answer === null ? { kind: 'invalid' } : { kind: 'answered', answer }
    },
  }
}

function readRoots(response: unknown): readonly Root[] | null {
  if (!isJsonObject(response) || !Array.isArray(response['roots'])) return null
  const roots = response['roots'].map(readRoot)
  return roots.every((root) => root !== null) ? roots : null
}

function readRoot(root: unknown): Root | null {
  if (!isJsonObject(root)) return null
  const { uri, name } = root
  if (typeof uri !== 'string' || !uri.startsWith('file://') || !URL.canParse(uri)) return null
  return typeof name === 'string' ? { uri, name } : { uri }
}
