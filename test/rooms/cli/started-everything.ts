import { join } from 'node:path'
import { startWranglerDev } from '../../support/wrangler-dev.ts'

interface StartedServer {
  /** The MCP endpoint. */
  readonly endpoint: string
  readonly stop: () => Promise<void>
}

/** Starts the fixture that has one of everything, as its developer runs it. */
export async function startEverything(): Promise<StartedServer> {
  const server = await startWranglerDev({
    cwd: join(import.meta.dirname, '../../everything'),
  })
  return { endpoint: `${server.url}/mcp`, stop: () => server.stop() }
}
