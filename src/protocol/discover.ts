import type { Registry } from '../registry/registry.ts'
import { supportedVersions } from '../wire/meta.ts'
import { toMembers, type Outcome } from '../wire/outcome.ts'
import type { Method } from './protocol.ts'

/** Makes `server/discover`: versions, capabilities and instructions (server/discover). */
export function createDiscover(
  registry: Registry,
  instructions: string | undefined,
  ttlMs: number,
): Method {
  const cache = { ttlMs, cacheScope: 'public' } as const
  const members = toMembers({
    supportedVersions,
    capabilities: toCapabilities(registry),
    ...(instructions === undefined ? {} : { instructions }),
    ...cache,
  })
  const outcome: Outcome = { kind: 'result', members, cache }
  return () => outcome
}

/** What exists, and nothing more: a capability is a promise to answer its methods. */
function toCapabilities(registry: Registry): object {
  return registry.tools.length === 0 ? {} : { tools: {} }
}
