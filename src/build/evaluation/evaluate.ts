import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import {
  type Direction,
  type StandardSchema,
  isStandardSchema,
} from '../../schema/standard-schema.ts'
import type { PrintOther } from '../../schema/to-json-schema.ts'
import {
  type Describe,
  type Description,
  type Evaluated,
  type LoadedModule,
  type Subject,
  type Surroundings,
  toErrorMessage,
  toSurroundings,
} from '../kinds/evaluated.ts'
import { describeHandle } from '../kinds/handle.ts'
import { describePrompt } from '../kinds/prompt.ts'
import { describeResource } from '../kinds/resource.ts'
import { describeTool } from '../kinds/tool.ts'

/** A module as the bundle hands it over: loaded here, and not before. */
export interface ToolModule {
  readonly file: string
  /** The name that the file's place gives. */
  readonly name: string
  readonly load: () => Promise<JsonObject>
}

export interface Evaluation {
  readonly modules: readonly ToolModule[]
  /** The names of the Worker's `[[ratelimits]]`. */
  readonly limits: readonly string[]
  /** Begins each line that is for the build: modules may log lines of their own. */
  readonly marker: string
  /** The project's own `zod/v4/core`, where it has one. */
  readonly zod: ZodCore | null
}

/**
 * Loads every module in workerd and prints what it is, in lines of JSON. workerd takes no I/O from a
 * module that is being loaded, so here a definition fails exactly where it would fail later.
 */
export async function evaluate({ modules, limits, marker, zod }: Evaluation): Promise<void> {
  const { log } = console
  const tell = (evaluated: Evaluated): void => log(marker + JSON.stringify(evaluated))
  refuseFetch()
  const loaded: LoadedModule[] = []
  for (const { file, name, load } of modules) {
    tell({ kind: 'begun', file })
    try {
      // one at a time: the last module whose turn came is the one that never ended
      // oxlint-disable-next-line no-await-in-loop
      loaded.push({ file, name, exports: await load() })
    } catch (error) {
      tell({ kind: 'threw', file, ...readThrown(error) })
    }
  }
  // only now, as a tool is described by others: it names the one that creates its handles
  const surroundings = toSurroundings(loaded, limits, createZodPrinter(zod))
  for (const module of loaded) {
    tell({ kind: 'begun', file: module.file })
    tell(describeModule(module, surroundings))
  }
}

/**
 * Outside a request workerd's fetch returns a rejected promise, and one that nobody awaits is never
 * reported: the module would pass here and fail in production.
 */
function refuseFetch(): void {
  globalThis.fetch = () => {
    throw new Error('fetch is not allowed within global scope')
  }
}

function readThrown(thrown: unknown): { message: string; stack: string } {
  const stack = thrown instanceof Error ? thrown.stack : undefined
  return { message: toErrorMessage(thrown), stack: stack ?? '' }
}

/** What a module's default export may be, by its `kind`; each kind says its own entry. */
const kinds: ReadonlyMap<unknown, Describe> = new Map([
  ['tool', describeTool],
  ['resource', describeResource],
  ['prompt', describePrompt],
  ['handle', describeHandle],
])

/** Decides what a module is: an entry of the registry, a helper of the others, or refused. */
export function describeModule(
  { file, name, exports }: LoadedModule,
  surroundings: Surroundings,
): Evaluated {
  const made = exports['default']
  if (made === undefined) return describeHelper(file, exports)
  const describe = isJsonObject(made) ? kinds.get(made['kind']) : undefined
  if (!isJsonObject(made) || describe === undefined) {
    const why = 'The default export is nothing that Helve made. Export defineTool({ ... }) there.'
    return { kind: 'refused', file, problems: [why] }
  }
  const description = attempt(describe, { name, made }, surroundings)
  return 'problems' in description
    ? { kind: 'refused', file, problems: description.problems }
    : { kind: 'entry', entry: { ...description, file, usesJsonSchema: usesJsonSchema(made) } }
}

/** Returns whether one of a definition's schemas is a plain JSON Schema. */
function usesJsonSchema({ definition }: JsonObject): boolean {
  const { input, output, params, state }: JsonObject = Object(definition)
  return [input, output, params, state].some(
    (schema) => isJsonObject(schema) && !isStandardSchema(schema),
  )
}

/** What cannot be printed says so by throwing, in a sentence for its author. */
function attempt(describe: Describe, subject: Subject, surroundings: Surroundings): Description {
  try {
    return describe(subject, surroundings)
  } catch (error) {
    return { problems: [toErrorMessage(error)] }
  }
}

/** A module without a default export is there for the others to import, unless it hides something. */
function describeHelper(file: string, exports: JsonObject): Evaluated {
  const names = Object.keys(exports)
  const [hidden] = names.flatMap((name) => {
    const value = exports[name]
    return isJsonObject(value) && kinds.has(value['kind']) && 'definition' in value
      ? [`It exports a ${String(value['kind'])} as \`${name}\`, where nobody looks.`]
      : []
  })
  if (hidden === undefined && names.length > 0) return { kind: 'helper', file }
  const why =
    hidden === undefined
      ? 'It exports nothing. Write `export default defineTool({ ... })`, or begin its name with "_".'
      : `${hidden} Write \`export default\` instead.`
  return { kind: 'refused', file, problems: [why] }
}

/** What the build takes of `zod/v4/core`: the project's copy, as Helve depends on no validator. */
export interface ZodCore {
  readonly toJSONSchema: (
    schema: StandardSchema,
    options: { readonly target: 'draft-2020-12'; readonly io: Direction },
  ) => Record<string, unknown>
}

/** Prints the schemas of zod/mini, which leave their printer out to stay small. */
export function createZodPrinter(zod: ZodCore | null): PrintOther {
  return (schema, io) => {
    if (zod === null || schema['~standard'].vendor !== 'zod' || !('_zod' in schema)) return null
    return ({ target }) => zod.toJSONSchema(schema, { target, io })
  }
}
