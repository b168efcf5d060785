import type { RateWindow } from '../util/rate-limit.ts'
import type { HandleEntry } from './handle-kind.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'
import type { Tool } from './tool.ts'

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

/** A tool parameter that clients mirror into `Mcp-Param-{name}` (server/tools, "x-mcp-header"). */
export interface ParamHeader {
  /** The `{name}` of `Mcp-Param-{name}`. */
  readonly name: string
  /** The property names that lead to the parameter. */
  readonly path: readonly string[]
}

/** What the build knows of one tool. Its module is imported when the tool is first called. */
export interface ToolEntry {
  readonly name: string
  /** The tool's entry in `tools/list`, as JSON text. */
  readonly listed: string
  /** The parameters that clients mirror into `Mcp-Param-*` headers. */
  readonly headers: readonly ParamHeader[]
  /** It says that it changes nothing. */
  readonly readOnly: boolean
  /** How long results are kept; `null` for a tool that is run for every call. */
  readonly cache: {
    readonly ttlMs: number
    readonly staleMs: number
    /** For everybody alike. */
    readonly shared: boolean
  } | null
  /** What a caller needs to see and use it. */
  readonly scopes: readonly string[]
  /** Callers without the scopes are told that there is no such thing. */
  readonly conceal: boolean
  /** It has a `visible` of its own. */
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: Tool }>
}

/** What the build knows of an argument of a prompt or a variable of a URI template. */
export interface ArgumentEntry {
  readonly name: string
  /** The values that its schema names, or that its module has a completer to ask. */
  readonly suggestions: readonly string[] | 'completer'
}

/** What the build knows of one resource. Its module is imported when it is first read or listed. */
export interface ResourceEntry {
  readonly name: string
  /** The URI or URI template: no two entries have the same. */
  readonly uri: string
  /** Its entry in `resources/list` or, for a template, in `resources/templates/list`, as JSON text. */
  readonly listed: string
  /** The same for every caller. */
  readonly shared: boolean
  /** How long what was read may be kept. */
  readonly ttlMs: number
  /** How long after that the old will do, while the new is made. */
  readonly staleMs: number
  /** It may have questions: what is read then depends on more than its URI. */
  readonly asks: boolean
  /** A template that lists the resources there are. */
  readonly dynamic: boolean
  /** The variables of a template. */
  readonly arguments: readonly ArgumentEntry[]
  /** What a caller needs to see and use it. */
  readonly scopes: readonly string[]
  /** Callers without the scopes are told that there is no such thing. */
  readonly conceal: boolean
  /** It has a `visible` of its own. */
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: Resource }>
}

/** What the build knows of one prompt. Its module is imported when it is first asked for. */
export interface PromptEntry {
  readonly name: string
  /** The prompt's entry in `prompts/list`, as JSON text. */
  readonly listed: string
  readonly arguments: readonly ArgumentEntry[]
  /** What a caller needs to see and use it. */
  readonly scopes: readonly string[]
  /** Callers without the scopes are told that there is no such thing. */
  readonly conceal: boolean
  /** It has a `visible` of its own. */
  readonly conditional: boolean
  readonly load: () => Promise<{ readonly default: Prompt }>
}
