import type { PrintOther } from '../../schema/print.ts'
import type { JsonObject } from '../../wire/json.ts'
import { isHandle } from '../kinds/handle.ts'
import { isTool } from '../kinds/tool.ts'

/** A module that has been loaded. */
export interface LoadedModule {
  readonly file: string
  /** The name that the file's place gives. */
  readonly name: string
  readonly exports: JsonObject
}

/** What a definition is held against: the other modules, and the Worker that they will run in. */
export interface Surroundings {
  /** The names of all tools. */
  readonly tools: readonly string[]
  /** Those that a sentence for anybody may name, as what creates a handle: none that is concealed. */
  readonly creators: readonly string[]
  /** The kinds of handles that the registry will have. */
  readonly handles: ReadonlySet<unknown>
  /** The names of the Worker's `[[ratelimits]]`. */
  readonly limits: readonly string[]
  /** Prints the schemas that cannot print themselves, where the project has what it takes. */
  readonly printOther: PrintOther
}

/** Finds out what the modules are to each other. */
export function toSurroundings(
  modules: readonly LoadedModule[],
  limits: readonly string[],
  printOther: PrintOther,
): Surroundings {
  const made = modules.map(({ name, exports }) => ({ name, made: exports['default'] }))
  const tools = made.flatMap(({ name, made }) =>
    isTool(made) ? [{ name: made.definition.name ?? name, conceal: made.definition.conceal }] : [],
  )
  return {
    tools: tools.map(({ name }) => name),
    creators: tools.filter(({ conceal }) => conceal !== true).map(({ name }) => name),
    handles: new Set(made.map(({ made }) => made).filter(isHandle)),
    limits,
    printOther,
  }
}
