import type { RateWindow } from '../util/rate-limit.ts'
import type { HandleEntry } from './handle-kind.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'
import type { Tool } from './tool.ts'

/** Facts about `env` that only wrangler.toml contains. */
export interface Bindings {
  /** The names in `[vars]`, whose values are no secrets. */
  readonly vars: readonly string[]
  /** What each `[[ratelimits]]` binding allows, by name. */
  readonly limits: Readonly<Record<string, RateWindow>>
  /** The binding of `[version_metadata]`, which identifies a deploy. */
  readonly versionMetadata?: string
}

/**
 * What `helve build` found under `tools/`. Each list is sorted by name or URI. `Definitions` has the types
 * of the modules, see {@link DefinitionTypes}. It is not constrained: the compiler would then have to read
 * all modules to check one that imports the Worker.
 */
export interface Registry<Definitions = unknown> {
  /** Changes when anything that clients can see changes. */
  readonly digest: string
  /** Changes when the code of a tool, or anything that it imports, changes. */
  readonly code: string
  readonly bindings: Bindings
  readonly tools: readonly ToolEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly prompts: readonly PromptEntry[]
  readonly handles: readonly HandleEntry[]
  /** Only for the compiler. */
  readonly '~types'?: Definitions
}

/** The types of the modules, by the name of the tool or prompt and the URI of the resource. */
export interface DefinitionTypes {
  readonly tools: Readonly<Record<string, Tool>>
  readonly resources: Readonly<Record<string, Resource>>
  readonly prompts: Readonly<Record<string, Prompt>>
}

/** A tool parameter that clients mirror into `Mcp-Param-{name}` (server/tools, "x-mcp-header"). */
export interface ParamHeader {
  /** The `{name}` of `Mcp-Param-{name}`. */
  readonly name: string
  readonly path: readonly string[]
}

/** What the build knows of one tool. Its module is imported at the first call. */
export interface ToolEntry {
  readonly name: string
  /** The tool's entry in `tools/list`, as JSON text. */
  readonly listed: string
  readonly headers: readonly ParamHeader[]
  /** It has `hints: { readOnly: true }`. */
  readonly readOnly: boolean
  /** How long results are cached; `null` for a tool that runs for every call. */
  readonly cache: {
    readonly ttlMs: number
    readonly staleMs: number
    readonly shared: boolean
  } | null
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: Tool }>
}

/** What the build knows of an argument of a prompt or a variable of a URI template. */
export interface ArgumentEntry {
  readonly name: string
  /** The values of its `enum`; `'completer'` if its module has a function that suggests values. */
  readonly suggestions: readonly string[] | 'completer'
}

/** What the build knows of one resource. Its module is imported at its first read or list. */
export interface ResourceEntry {
  readonly name: string
  /** The URI or URI template, unique among the entries. */
  readonly uri: string
  /** Its entry in `resources/list` or, for a template, in `resources/templates/list`, as JSON text. */
  readonly listed: string
  readonly shared: boolean
  readonly ttlMs: number
  /** How long after that stale contents may be served while new ones are read. */
  readonly staleMs: number
  /** It has `ask`, so its contents depend on more than the URI. */
  readonly asks: boolean
  /** A template with `list`. */
  readonly dynamic: boolean
  readonly arguments: readonly ArgumentEntry[]
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: Resource }>
}

/** What the build knows of one prompt. Its module is imported at the first request for it. */
export interface PromptEntry {
  readonly name: string
  /** The prompt's entry in `prompts/list`, as JSON text. */
  readonly listed: string
  readonly arguments: readonly ArgumentEntry[]
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: Prompt }>
}
