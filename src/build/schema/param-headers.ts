import type { JsonObject } from '../../protocol/json.ts'
import { type Visit, walkSchema } from '../../schema/json-schema/keywords.ts'

/** One tool parameter that clients mirror into `Mcp-Param-{name}` (server/tools, "x-mcp-header"). */
export interface ParamHeader {
  /** The `{name}` of `Mcp-Param-{name}`. */
  readonly name: string
  /** The chain of property names that leads to the parameter. */
  readonly path: readonly string[]
}

/** The keyword that names the header of a parameter. */
export const headerAnnotation = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Reads the `x-mcp-header` annotations of an input schema, with a sentence for each that breaks a
 * rule: clients leave a tool with such an annotation out of their lists
 * (basic/transports/streamable-http, "Schema Extension").
 */
export function readParamHeaders(inputSchema: JsonObject): {
  readonly headers: readonly ParamHeader[]
  readonly problems: readonly string[]
} {
  const headers: ParamHeader[] = []
  const problems: string[] = []
  const taken = new Map<string, string>()
  for (const visit of walkSchema(inputSchema)) {
    if (!Object.hasOwn(visit.schema, headerAnnotation)) continue
    const name = readName(visit.schema[headerAnnotation])
    const problem =
      findPlaceProblem(visit) ?? findNameProblem(name) ?? findTaken(taken, name, visit.pointer)
    if (problem === null) headers.push({ name, path: visit.properties ?? [] })
    else problems.push(`"${headerAnnotation}" at ${visit.pointer} ${problem}`)
  }
  return { headers, problems }
}

function readName(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function findPlaceProblem({ schema, properties }: Visit): string | null {
  if (properties === null || properties.length === 0) {
    return 'is out of reach: it may stand only on a property that "properties" alone lead to.'
  }
  const { type } = schema
  if (type === 'string' || type === 'integer' || type === 'boolean') return null
  // ["string", "null"] too: the page asks for one of three types and clients compare the word, so
  // they would drop the tool, although it foresees a parameter whose value is null
  return (
    `stands on a parameter ${type === undefined ? 'without a type' : `of type ${toText(type)}`}. ` +
    'Only a string, an integer or a boolean can be mirrored; make it optional, not nullable.'
  )
}

function findNameProblem(name: string): string | null {
  if (name === '') return 'must be text that is not empty: it becomes the header Mcp-Param-{name}.'
  if (token.test(name)) return null
  return `is ${toText(name)}, which is no name for an HTTP header. Use letters, digits and hyphens.`
}

function findTaken(taken: Map<string, string>, name: string, pointer: string): string | null {
  const other = taken.get(name.toLowerCase())
  taken.set(name.toLowerCase(), other ?? pointer)
  if (other === undefined) return null
  return `is "${name}", which ${other} has already: header names are compared without case.`
}

function toText(value: unknown): string {
  return JSON.stringify(value)
}
