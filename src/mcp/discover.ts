import type { JsonObject } from '../protocol/json.ts'
import { type Outcome, toMembers } from '../protocol/outcome.ts'
import { findHubNamespace } from '../state/hub.ts'
import type { Call } from './call.ts'
import type { Settings } from './settings.ts'

/** `server/discover` (server/discover). */
export function discover({ settings, exports }: Call): Outcome {
  const { instructions, discoverHints, versions } = settings
  const hasHub = findHubNamespace(exports) !== null
  const members = toMembers({
    supportedVersions: versions,
    capabilities: toCapabilities(settings, { hasHub, subscribes: hasHub }),
    ...(instructions !== null && { instructions }),
  })
  return { kind: 'result', members, hints: discoverHints }
}

/**
 * Returns the capabilities that the server really has: clients rely on them. Changes are announced
 * through the hub, so `listChanged` needs one; any author's function may write to `log`.
 */
export function toCapabilities(
  { registry, entries }: Settings,
  { hasHub, subscribes }: { readonly hasHub: boolean; readonly subscribes: boolean },
): JsonObject {
  const { tools, prompts, resources } = registry
  const listChanged = hasHub ? { listChanged: true } : {}
  const runsCode = tools.length + prompts.length + resources.length > 0
  return {
    ...(tools.length > 0 && { tools: listChanged }),
    ...(prompts.length > 0 && { prompts: listChanged }),
    ...(resources.length > 0 && {
      resources: { ...(subscribes && { subscribe: true }), ...listChanged },
    }),
    ...(entries.completes && { completions: {} }),
    ...(runsCode && { logging: {} }),
  }
}
