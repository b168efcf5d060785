import type { HandleEntry } from '../define/handle-kind.ts'
import type { PromptEntry, ResourceEntry, ToolEntry } from './entries.ts'

/** All that `helve build` found under `tools/`, each list sorted by name or URI. */
export interface Registry {
  /** Changes when anything that a client may see changes. */
  readonly digest: string
  readonly tools: readonly ToolEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly prompts: readonly PromptEntry[]
  readonly handles: readonly HandleEntry[]
}
