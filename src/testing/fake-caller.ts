import { custom } from '../auth/custom.ts'
import type { IdentifiedCaller } from '../auth/custom.ts'
import { toFirstScopes } from '../auth/request/challenge.ts'
import { Guard } from '../auth/request/guard.ts'
import type { Settings } from '../mcp/settings.ts'

/** A caller that no token vouches for: its name, or more of what authentication would say. */
export type FakeCaller = string | IdentifiedCaller

/**
 * Returns the settings with a guard that takes every request for one of this caller. The settings of the
 * Worker stay as they are, so that no request from outside is let in.
 */
export function withCaller(settings: Settings, fake: FakeCaller | null | undefined): Settings {
  if (fake === null || fake === undefined) return settings
  const caller = typeof fake === 'string' ? { subject: fake } : fake
  const { endpoint, registry, serverInfo } = settings
  const guard = new Guard({
    auth: custom(() => caller),
    endpoint,
    scopes: toFirstScopes(registry),
    name: serverInfo.name,
  })
  return { ...settings, guard }
}
