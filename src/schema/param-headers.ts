/** One tool parameter that clients mirror into `Mcp-Param-{name}` (server/tools, "x-mcp-header"). */
export interface ParamHeader {
  /** The `{name}` of `Mcp-Param-{name}`. */
  readonly name: string
  /** The chain of property names that leads to the parameter. */
  readonly path: readonly string[]
}
