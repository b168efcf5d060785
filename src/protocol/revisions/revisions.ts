import type { Revision } from './revision.ts'

const none: Revision = {
  version: '2025-11-25',
  hasBatches: false,
  hasPriming: true,
  inputErrors: 'result',
  readClientCapabilities: (declared) => declared,
  toServerCapabilities: (capabilities) => capabilities,
  toServerInfo: (info) => info,
  toListed: (_, entry) => entry,
  toResult: (_, members) => members,
  toNotification: (notification) => notification,
  toClientRequest: (request) => ({ ...request }),
}

export const newestLegacy: Revision = none

/** The revisions that begin with `initialize`, newest first. */
export const legacyRevisions: readonly Revision[] = [
  newestLegacy,
  { ...none, version: '2025-06-18' },
  { ...none, version: '2025-03-26', hasBatches: true },
  { ...none, version: '2024-11-05' },
]

export function findRevision(version: string): Revision | null {
  return legacyRevisions.find((revision) => revision.version === version) ?? null
}
