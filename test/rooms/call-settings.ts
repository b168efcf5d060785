import type { CallSettings } from '../../src/mcp/checked-call.ts'
import { createSanitizers } from '../../src/out/sanitizer.ts'
import { createState } from '../../src/state/state.ts'

/** What calls have in common in a Worker that was told nothing, but for what a test changes. */
export function toCallSettings(changes: Partial<CallSettings> = {}): CallSettings {
  return {
    maxResultBytes: 100_000,
    openState: createState({
      shards: 1,
      creators: [],
      openPurge: () => async () => {},
      checkPurge: () => null,
    }),
    openSanitizer: createSanitizers([]),
    limits: { windows: new Map(), whenUnreachable: undefined },
    ...changes,
  }
}
