import { createWorker } from 'helve'
import { registry } from './.helve/registry.ts'

const worker = createWorker({
  name: 'helve-everything',
  version: '1.0.0',
  instructions: 'Tools for tests: each does what its description says and nothing useful.',
  registry,
})

export const { Handles } = worker
export { Till } from './till.ts'

/** The hub, which here also tells how many listen. */
export class Hub extends worker.Hub {
  listeners(): number {
    const open = this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)
    return open.length
  }
}

export default worker
