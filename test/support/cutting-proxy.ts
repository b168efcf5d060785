import { connect, createServer, type Socket } from 'node:net'
import { findFreePort } from './free-port.ts'
import { once } from 'node:events'

/** A proxy between a client and a server, which breaks connections as networks do. */
export interface CuttingProxy {
  /** The endpoint as clients reach it. */
  readonly endpoint: string
  /** Breaks all connections. New ones are accepted. */
  readonly cut: () => void
  readonly stop: () => Promise<void>
}

export async function startCuttingProxy(endpoint: string): Promise<CuttingProxy> {
  const target = new URL(endpoint)
  const sockets = new Set<Socket>()
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${port}${target.pathname}`,
    cut,
    async stop() {
      cut()
      await once(server.close(), 'close')
    },
  }
}
