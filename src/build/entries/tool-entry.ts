import type { CreatorOf } from '../../define/handle-kind.ts'
import type { ToolEntry } from '../../define/registry.ts'
import type { Tool, ToolHints } from '../../define/tool.ts'
import type { Icon } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { noArguments } from '../../schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { toMilliseconds } from '../../util/duration.ts'
import { toInputRoot, toOutputRoot } from '../schema/object-root.ts'
import { readParamHeaders } from '../schema/param-headers.ts'
import { toUsesSchema } from '../schema/uses-schema.ts'
import { toVisibilityMembers } from './shared-members.ts'

interface DescribedTool {
  readonly entry: Omit<ToolEntry, 'load'>
  readonly problems: readonly string[]
}

/** Creates the registry's entry of a tool, without `load`, which the build adds. */
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
    ...toVisibilityMembers(definition),
  }
  return { entry, problems }
}

function toCache({ definition }: Tool): ToolEntry['cache'] {
  const { cache, stale, shared = false } = definition
  if (cache === undefined) return null
  const staleMs = stale === undefined ? 0 : toMilliseconds(stale)
  return { ttlMs: toMilliseconds(cache), staleMs, shared }
}

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

interface ToolSurroundings {
  readonly printOther?: PrintOther
  readonly creatorOf: CreatorOf
}

/**
 * Creates a tool's entry in `tools/list`. The order of its keys does not depend on the author's.
 *
 * @throws {TypeError} when `uses` and `input` have an argument of the same name.
 */
export function toToolListing(
  name: string,
  { definition }: Tool,
  { printOther, creatorOf }: ToolSurroundings,
): ToolListing {
  const { title, description, icons, uses = {}, input = noArguments, output, hints } = definition
  const printedInput = toJsonSchema(input, 'input', printOther)
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(icons !== undefined && { icons }),
    inputSchema: toUsesSchema(toInputRoot(printedInput), uses, creatorOf),
    ...(output !== undefined && {
      outputSchema: toOutputRoot(toJsonSchema(output, 'output', printOther)),
    }),
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
