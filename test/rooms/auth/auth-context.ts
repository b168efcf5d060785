import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { AuthContext, Refusals } from '../../../src/define/authenticator.ts'
import { RefusalLimit } from '../../../src/auth/request/request-limit.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

export const resource = 'https://shop.example/mcp'

interface ContextChanges {
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: object
  readonly ctx?: object
  readonly resource?: string
  readonly refusals?: Refusals
}

/** Creates what an authenticator is given for a request. */
export function createAuthContext(changes: ContextChanges = {}): AuthContext {
  return {
    headers: new Headers(changes.headers),
    url: resource,
    env: Object.assign({ ...env }, changes.env),
    ctx: Object.assign(createExecutionContext(), changes.ctx),
    resource: changes.resource ?? resource,
    log: new WorkerLog(createSanitizer([])),
    refusals: changes.refusals ?? new RefusalLimit({ window: undefined, allowsAnonymous: false }),
  }
}

/** Creates what an authenticator is given for a request with a bearer token. */
export function createBearerContext(token: string, changes: ContextChanges = {}): AuthContext {
  return createAuthContext({ ...changes, headers: { Authorization: `Bearer ${token}` } })
}
