import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { AuthContext } from '../../../src/define/authenticator.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

export const resource = 'https://shop.example/mcp'

interface ContextChanges {
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: object
  readonly ctx?: object
  readonly resource?: string
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
  }
}

/** Creates what an authenticator is given for a request with a bearer token. */
export function createBearerContext(token: string, changes: ContextChanges = {}): AuthContext {
  return createAuthContext({ ...changes, headers: { Authorization: `Bearer ${token}` } })
}
