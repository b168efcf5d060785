import { once } from 'node:events'
import { createServer } from 'node:net'

/** Finds a port of 127.0.0.1 that nobody listens on, for servers that must know theirs beforehand. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
