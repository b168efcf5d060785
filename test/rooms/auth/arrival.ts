import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Arrival } from '../../../src/define/authenticator.ts'

export const resource = 'https://shop.example/mcp'

interface Coming {
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: object
  readonly ctx?: object
  readonly resource?: string
}

/** A request at the door. */
export function arrive(coming: Coming = {}): Arrival {
  return {
    headers: new Headers(coming.headers),
    url: resource,
    env: Object.assign({ ...env }, coming.env),
    ctx: Object.assign(createExecutionContext(), coming.ctx),
    resource: coming.resource ?? resource,
  }
}

/** A request at the door with a bearer token. */
export function arriveWith(token: string, coming: Coming = {}): Arrival {
  return arrive({ ...coming, headers: { Authorization: `Bearer ${token}` } })
}
