import { shape20241105 } from './2024-11-05.ts'
import { shape20250326 } from './2025-03-26.ts'
import { shape20250618 } from './2025-06-18.ts'
import { shape20251125 } from './2025-11-25.ts'
import type { Revision } from './revision.ts'
import { convertResult } from './convert-result.ts'
import type { RevisionShape } from './revision-shape.ts'

/** What clients are offered that ask for a version of no revision. */
export const newestLegacy: Revision = toRevision(shape20251125)

/** The revisions that begin with `initialize`, newest first. */
export const legacyRevisions: readonly Revision[] = [
  newestLegacy,
  ...[shape20250618, shape20250326, shape20241105].map(toRevision),
]

/** Finds a revision that begins with `initialize`; `null` for any other version. */
export function findRevision(version: string): Revision | null {
  return legacyRevisions.find((revision) => revision.version === version) ?? null
}

function toRevision(shape: RevisionShape): Revision {
  return {
    ...shape,
    toResult: (method, members) =>
      shape.lacking.test(members) ? convertResult(method, members, shape) : members,
  }
}
