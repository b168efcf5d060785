import { revision20241105 } from './2024-11-05.ts'
import { revision20250326 } from './2025-03-26.ts'
import { revision20250618 } from './2025-06-18.ts'
import { revision20251125 } from './2025-11-25.ts'
import type { Revision } from './revision.ts'

/** What clients are offered that ask for a version of no revision. */
export const newestLegacy: Revision = revision20251125

/** The revisions that begin with `initialize`, newest first. */
export const legacyRevisions: readonly Revision[] = [
  newestLegacy,
  revision20250618,
  revision20250326,
  revision20241105,
]

/** Finds a revision that begins with `initialize`; `null` for any other version. */
export function findRevision(version: string): Revision | null {
  return legacyRevisions.find((revision) => revision.version === version) ?? null
}
