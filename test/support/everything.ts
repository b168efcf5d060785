import { join } from 'node:path'
import { startWorkerd } from './workerd.ts'
import { startWranglerDev, type WranglerDevOptions } from './wrangler-dev.ts'

/** The conformance fixture, where its tests reach it. */
export interface Everything {
  /** The MCP endpoint. */
  readonly endpoint: string
  stop(): Promise<void>
  /** Ends it as a crash would: nothing in it hears of it. */
  kill(): Promise<void>
}

/** Starts the fixture; `persist` is the folder that keeps its storage for the next start. */
export type StartEverything = (options?: Pick<WranglerDevOptions, 'persist'>) => Promise<Everything>

const cwd = join(import.meta.dirname, '../everything')

/** The fixture as its developer runs it, and as production does: workerd with nothing in between. */
export const everythingHosts: readonly (readonly [string, StartEverything])[] = [
  ['wrangler dev', async (options) => toEverything(await startWranglerDev({ ...options, cwd }))],
  ['workerd', async (options) => toEverything(await startWorkerd(options))],
]

function toEverything({
  url,
  stop,
  kill,
}: Omit<Everything, 'endpoint'> & { readonly url: string }): Everything {
  return { endpoint: `${url}/mcp`, stop, kill }
}
