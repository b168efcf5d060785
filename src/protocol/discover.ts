import { findHubNamespace } from '../state/hub-namespace.ts'
import { supportedVersions } from '../wire/meta.ts'
import { toMembers, type Outcome } from '../wire/outcome.ts'
import { callMethods } from './call-methods.ts'
import type { Method, Methods } from './protocol.ts'

export interface DiscoverSettings {
  /** For the model: how to use this server well. */
  readonly instructions?: string
  readonly ttlMs: number
}

/** Makes `server/discover`: versions, capabilities and instructions (server/discover). */
export function createDiscover(methods: Methods, settings: DiscoverSettings): Method {
  const { instructions, ttlMs } = settings
  const cache = { ttlMs, cacheScope: 'public' } as const
  const print = (hasHub: boolean): Outcome => {
    const capabilities = toCapabilities(methods, hasHub)
    const spoken = instructions === undefined ? {} : { instructions }
    const members = toMembers({ supportedVersions, capabilities, ...spoken })
    return { kind: 'result', members, cache }
  }
  // a deployed Worker has a hub or has none: either answer is printed once
  const [without, withHub] = [print(false), print(true)]
  return (_, { exports }) => (findHubNamespace(exports) === null ? without : withHub)
}

/**
 * What exists, and nothing more: a capability is a promise. Changes are told through the hub, so
 * that without one nobody may wait for them; any of an author's functions may log.
 */
function toCapabilities(methods: Methods, hasHub: boolean): object {
  const listChanged = hasHub ? { listChanged: true } : {}
  const resources = hasHub ? { subscribe: true, listChanged: true } : {}
  return {
    ...(methods.has('tools/list') && { tools: listChanged }),
    ...(methods.has('prompts/list') && { prompts: listChanged }),
    ...(methods.has('resources/list') && { resources }),
    ...(methods.has('completion/complete') && { completions: {} }),
    ...(callMethods.some((method) => methods.has(method)) && { logging: {} }),
  }
}
