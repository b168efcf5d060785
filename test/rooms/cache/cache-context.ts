import { env, exports } from 'cloudflare:workers'
import type { CacheContext } from '../../../src/cache/read-through.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

const sanitizer = createSanitizer(['hunter2-hunter2'])

/** What results are looked up with, except for what a test changes. `hunter2-hunter2` is a secret. */
export function toCacheContext(changes: Partial<CacheContext> = {}): CacheContext {
  return { env, exports, waitUntil: () => {}, log: new WorkerLog(sanitizer), ...changes }
}
