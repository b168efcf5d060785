import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

// below the ports that systems hand to outgoing connections, of which tests open thousands: each
// of them could take a port between its check and the start of its server
const lowest = 20_000
const highest = 32_000

/**
 * Starts a server on a free port of 127.0.0.1, and tries other ports when the start fails because
 * another process took the port meanwhile.
 *
 * @param start rejects with an error that has `EADDRINUSE` or "address already in use" in its message.
 */
export async function startOnFreePort<Started>(
  start: (port: number) => Promise<Started>,
  attempts = 5,
): Promise<Started> {
  try {
    return await start(await findFreePort())
  } catch (error) {
    if (attempts === 1 || !isAddressInUse(error)) throw error
    return startOnFreePort(start, attempts - 1)
  }
}

/** Finds a port of 127.0.0.1 that no process listens on, by listening on it. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  try {
    return await listen(server, randomInt(lowest, highest))
  } catch (error) {
    if (isAddressInUse(error)) return findFreePort()
    throw error
  } finally {
    if (server.listening) await once(server.close(), 'close')
  }
}

/** Listens on 127.0.0.1 and returns the port: by default one that the system chooses. */
export async function listen(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return address.port
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && /EADDRINUSE|address already in use/i.test(error.message)
}
