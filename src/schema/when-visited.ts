import type { Schema } from '@cfworker/json-schema'

/**
 * Makes an empty schema that does something each time the validator applies it. The validator reads
 * every keyword once a visit, so one that nobody uses tells of the visit.
 */
export function whenVisited(act: () => void): Schema {
  return Object.defineProperty({}, '$recursiveAnchor', { get: act })
}
