import { createWorker } from 'helve'
import { toRegistry } from '../spec/registry.ts'
import { note } from './note.ts'

const worker = createWorker({ name: 'leaks', version: '1.0.0', registry: toRegistry({ note }) })

export const { Handles, Hub, Bridge } = worker

export default { fetch: worker.fetch } satisfies ExportedHandler<Cloudflare.Env>
