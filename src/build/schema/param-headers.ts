import type { ParamHeader } from '../../define/registry.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type Visit, walkSchema } from './walk-schema.ts'

export const headerAnnotation = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Reads the `x-mcp-header` annotations of an input schema, and returns a sentence for each one that
 * breaks a rule: clients remove a tool with such an annotation from their lists
 * (basic/transports/streamable-http, "Schema Extension").
 */
export function readParamHeaders(inputSchema: JsonObject): {
  readonly headers: readonly ParamHeader[]
  readonly problems: readonly string[]
} {
  const headers: ParamHeader[] = []
  const problems: string[] = []
  const pointers = new Map<string, string>()
  for (const visit of walkSchema(inputSchema)) {
    if (!Object.hasOwn(visit.schema, headerAnnotation)) continue
    const name = readName(visit.schema[headerAnnotation])
    const problem =
      findPlaceProblem(visit) ??
      findNameProblem(name) ??
      findDuplicate(pointers, name, visit.pointer)
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
    return 'cannot be mirrored: only properties, and properties of properties, may have the keyword.'
  }
  const { type } = schema
  if (type === 'string' || type === 'integer' || type === 'boolean') return null
  // ["string", "null"] is refused too: the page allows three types and clients compare the word, so
  // they would remove the tool, although the page describes a parameter whose value is null
  return (
    `is on a parameter ${type === undefined ? 'without a type' : `of type ${toText(type)}`}. ` +
    'Only a string, an integer or a boolean can be mirrored; make it optional, not nullable.'
  )
}

function findNameProblem(name: string): string | null {
  if (name === '') return 'must be a text and not empty: it is the {name} of Mcp-Param-{name}.'
  if (token.test(name)) return null
  return `is ${toText(name)}, which is not a valid HTTP header name. Use letters, digits and hyphens.`
}

function findDuplicate(
  pointers: Map<string, string>,
  name: string,
  pointer: string,
): string | null {
  const other = pointers.get(name.toLowerCase())
  pointers.set(name.toLowerCase(), other ?? pointer)
  if (other === undefined) return null
  return `is "${name}", which ${other} has already: header names are compared without case.`
}

function toText(value: unknown): string {
  return JSON.stringify(value)
}
