import type { CreatorOf } from '../../define/handle-kind.ts'
import type { ToolEntry } from '../../define/registry.ts'
import type { Tool, ToolHints } from '../../define/tool.ts'
import { toUsesSchema } from '../../mcp/uses.ts'
import type { Icon } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { nothing } from '../../schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { toMilliseconds } from '../../util/duration.ts'
import { readParamHeaders } from '../schema/param-headers.ts'
import { toGuarded } from './argument-entry.ts'

/** What the registry holds of a tool, but for `load`, which the build adds. */
interface DescribedTool {
  readonly entry: Omit<ToolEntry, 'load'>
  /** What is wrong with its parameter headers, in sentences. */
  readonly problems: readonly string[]
}

/** Says all that the registry holds of a tool. */
export function toToolEntry(
  name: string,
  tool: Tool,
  surroundings: ToolSurroundings,
): DescribedTool {
  const { definition } = tool
  const listing = toToolListing(name, tool, surroundings)
  const { headers, problems } = readParamHeaders(listing.inputSchema)
  const entry = {
    name,
    listed: JSON.stringify(listing),
    headers,
    readOnly: definition.hints?.readOnly === true,
    cache: toCache(tool),
    ...toGuarded(definition),
  }
  return { entry, problems }
}

function toCache({ definition }: Tool): ToolEntry['cache'] {
  const { cache, stale, shared = false } = definition
  if (cache === undefined) return null
  const staleMs = stale === undefined ? 0 : toMilliseconds(stale)
  return { ttlMs: toMilliseconds(cache), staleMs, shared }
}

/** An entry of `tools/list` (server/tools, "Tool"). */
interface ToolListing {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: Readonly<Record<string, boolean>>
}

/** The hints of a tool; the wire adds `Hint` to each. */
export const hintNames: readonly (keyof ToolHints)[] = [
  'readOnly',
  'destructive',
  'idempotent',
  'openWorld',
]

/** What a listing takes from beyond its tool. */
interface ToolSurroundings {
  readonly printOther?: PrintOther
  /** Names the tool whose result holds the ids that this one asks for. */
  readonly creatorOf: CreatorOf
}

/**
 * Says a tool's entry in `tools/list`, its keys in one order whatever the author's was.
 *
 * @throws {TypeError} where `uses` and `input` have an argument of the same name.
 */
export function toToolListing(
  name: string,
  { definition }: Tool,
  { printOther, creatorOf }: ToolSurroundings,
): ToolListing {
  const { title, description, icons, uses = {}, input = nothing, output, hints } = definition
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(icons !== undefined && { icons }),
    inputSchema: toUsesSchema(toJsonSchema(input, 'input', printOther), uses, creatorOf),
    ...(output !== undefined && { outputSchema: toJsonSchema(output, 'output', printOther) }),
    ...(hints !== undefined && { annotations: toAnnotations(hints) }),
  }
}

function toAnnotations(hints: ToolHints): Record<string, boolean> {
  const annotations: Record<string, boolean> = {}
  for (const name of hintNames) {
    const hint = hints[name]
    if (hint !== undefined) annotations[`${name}Hint`] = hint
  }
  return annotations
}
