import type { HandleEntry } from '../define/handle-kind.ts'
import type { RateWindow } from '../kit/rate-window.ts'
import type { PromptEntry, ResourceEntry, ToolEntry } from './entries.ts'

/** What wrangler.toml says of the Worker's `env`, and `env` itself does not. */
export interface Bindings {
  /** The names in `[vars]`: every other text in `env` is a secret. */
  readonly vars: readonly string[]
  /** What each `[[ratelimits]]` lets through. */
  readonly limits: Readonly<Record<string, RateWindow>>
  /** The binding of `[version_metadata]`, which tells one deploy from another. */
  readonly versionMetadata?: string
}

/** All that `helve build` found under `tools/`, each list sorted by name or URI. */
export interface Registry {
  /** Changes when anything that a client may see changes. */
  readonly digest: string
  /** Changes when the code of a tool, or anything that it imports, changes. */
  readonly code: string
  readonly bindings: Bindings
  readonly tools: readonly ToolEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly prompts: readonly PromptEntry[]
  readonly handles: readonly HandleEntry[]
}
