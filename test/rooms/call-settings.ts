import type { CallSettings } from '../../src/mcp/checked-call.ts'
import { createSanitizers } from '../../src/out/sanitizer.ts'
import { WorkerLog } from '../../src/out/log.ts'
import { createState } from '../../src/state/state.ts'

/** What calls have in common in a Worker that was told nothing, but for what a test changes. */
export function toCallSettings(changes: Partial<CallSettings> = {}): CallSettings {
  const openState = createState({
    shards: 1,
    creators: [],
    openPurge: () => async () => {},
    checkPurge: () => null,
  })
  const openSanitizer = createSanitizers([])
  return {
    maxResultBytes: 100_000,
    openState: ({ env, exports, callerDigest }) =>
      openState({ env, exports, callerDigest, log: new WorkerLog(openSanitizer(env)) }),
    openSanitizer,
    limits: { windows: new Map(), whenUnreachable: undefined },
    ...changes,
  }
}
