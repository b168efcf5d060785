import type { JsonObject } from '../../wire/json.ts'
import { toErrorMessage } from '../error-message.ts'
import { describeModule } from './describe-module.ts'
import type { Evaluated } from './evaluated.ts'
import { toSurroundings, type LoadedModule } from './surroundings.ts'
import { createZodPrinter, type ZodCore } from './zod-printer.ts'

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
