import type { Settings } from '../mcp/settings.ts'
import type { FoundRun } from '../objects/stored-claim.ts'
import type { RunClaims } from '../state/claims.ts'
import { findHubNamespace } from '../state/hub.ts'
import { createSealer } from '../util/seal.ts'

/**
 * Returns the settings with what questions need in memory, where the Worker's Durable Objects are not: a
 * key, and the claims of calls that must run once.
 */
export function withoutObjects(settings: Settings, exports: unknown): Settings {
  if (findHubNamespace(exports) !== null) return settings
  const key = crypto.randomUUID() + crypto.randomUUID()
  const claims = createClaims()
  return {
    ...settings,
    openState(site) {
      const state = settings.openState(site)
      Object.defineProperties(state, {
        hasKey: { value: true },
        claims: { value: claims },
        sealer: { value: async (purpose = 'request-state') => createSealer([key], purpose) },
      })
      return state
    },
  }
}

function createClaims(): RunClaims {
  const runs = new Map<string, FoundRun>()
  return {
    createNonce: () => crypto.randomUUID(),
    async claim(nonce) {
      const found = runs.get(nonce)
      if (found !== undefined) return found
      runs.set(nonce, { kind: 'running' })
      return { kind: 'yours' }
    },
    look: async (nonce) => runs.get(nonce) ?? null,
    finish: async (nonce, result) => void runs.set(nonce, { kind: 'done', result }),
  }
}
