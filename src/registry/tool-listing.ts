import type { CreatorOf } from '../define/handle-creator.ts'
import type { Tool, ToolHints } from '../define/tool.ts'
import { toUsesSchema } from '../define/uses-input.ts'
import { nothing } from '../schema/nothing.ts'
import { toJsonSchema, type PrintOther } from '../schema/print.ts'
import type { Icon } from '../wire/content.ts'
import type { JsonObject } from '../wire/json.ts'

/** An entry of `tools/list` (server/tools, "Tool"). */
export interface ToolListing {
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
export interface ToolSurroundings {
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
