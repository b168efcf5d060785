import { createWorker } from 'helve'
import { registry } from './.helve/registry.ts'

const worker = createWorker({
  name: 'helve-everything',
  version: '1.0.0',
  instructions: 'Tools for tests: each does what its description says and nothing useful.',
  registry,
  cache: { store: 'colo' },
})

export const { Handles, Bridge, Listings } = worker
export { Till } from './till.ts'

/** The hub, which here also tells how many listen for updates of a resource. */
export class Hub extends worker.Hub {
  countListeners(uri: string): number {
    const open = this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)
    // all that is known of a listener is in its socket's attachment, as text
    return open.filter((socket) => JSON.stringify(socket.deserializeAttachment()).includes(uri))
      .length
  }
}

export default worker
