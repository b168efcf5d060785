import type { Tool } from '../define/tool.ts'
import type { ParamHeader } from '../schema/param-headers.ts'

/** What the build knows of one tool. Its module is imported when the tool is first called. */
export interface ToolEntry {
  readonly name: string
  /** The tool's entry in `tools/list`, as JSON text. */
  readonly listed: string
  /** The parameters that clients mirror into `Mcp-Param-*` headers. */
  readonly headers: readonly ParamHeader[]
  readonly load: () => Promise<{ readonly default: Tool }>
}

/** All that `helve build` found under `tools/`, sorted by name. */
export interface Registry {
  /** Changes when anything that a client may see changes. */
  readonly digest: string
  readonly tools: readonly ToolEntry[]
}
