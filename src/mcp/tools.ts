import {
  isPartitionOf,
  toPartition,
  type PartitionedEntry,
  type CachePartition,
} from '../cache/cache-key.ts'
import type { CacheLookup } from '../cache/read-through.ts'
import { toToolTags } from '../cache/purge.ts'
import type { Abilities, AskContext, RunContext } from '../define/contexts.ts'
import type { Uses } from '../define/handles.ts'
import type { ToolEntry } from '../define/registry.ts'
import type { Tool } from '../define/tool.ts'
import { toToolSanitizer } from '../out/sanitizer.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { createHandles, openReaders, openUses } from '../state/handles.ts'
import { toMilliseconds } from '../util/duration.ts'
import { mapSync } from '../util/microtasks.ts'
import type { Call } from './call.ts'
import {
  WorkContext,
  createProgress,
  unavailableWhereCached,
  unavailableWhereShared,
  withUnavailable,
} from './contexts.ts'
import { DefinitionLoader, withNearest } from './entries.ts'
import { findParamMismatch } from './request-headers.ts'
import { runPipeline } from './pipeline.ts'
import { type ResultSettings, serializeResult, toErrorResult } from './tool-result.ts'
import { readUses } from './uses.ts'
import { isVisibleToAll } from './visibility.ts'
import { type AnswerValues, type ToolLimits, Work, defaultLimitMs } from './work.ts'
import { excerpt } from '../util/excerpt.ts'

/** `tools/list` (server/tools, "Listing Tools"). */
export function listTools(call: Call): Outcome | Promise<Outcome> {
  return call.settings.entries.lists.tools.answer(call)
}

/** `tools/call` (server/tools, "Calling Tools"). */
export function runTool(call: Call): Outcome | Promise<Outcome> {
  const { name, arguments: input = {} } = call.params
  const entry = typeof name === 'string' ? call.settings.entries.tools.get(name) : undefined
  const { tools } = call.settings.entries
  if (entry === undefined) return withNearest(unknownTool(name), name, tools)
  if (!isJsonObject(input)) return runPipeline(new ToolWork(call, entry, {}, notAnObject))
  return runPipeline(new ToolWork(call, entry, input))
}

const notAnObject = fail({ kind: 'invalid-params', why: 'params.arguments must be an object.' })

function unknownTool(name: unknown): Outcome {
  const why =
    typeof name === 'string' ? `Unknown tool: ${excerpt(name)}` : 'params.name must be a string.'
  return fail({ kind: 'invalid-params', why })
}

const definitions = new DefinitionLoader<Tool>()

/**
 * One call of a tool. A failure inside the tool is a result too, with `isError`, because the model
 * can react to it (server/tools, "Error Handling").
 */
export class ToolWork extends Work {
  readonly entry: ToolEntry
  readonly #malformed: Outcome | null
  #tool: Tool | null = null
  #checked: { readonly input: unknown; readonly ids: ReadonlyMap<string, string> } | null = null

  constructor(call: Call, entry: ToolEntry, input: JsonObject, malformed: Outcome | null = null) {
    super(call, entry.name, input)
    this.entry = entry
    this.#malformed = malformed
  }

  override toUnknown(): Outcome {
    return withNearest(unknownTool(this.name), this.name, this.call.settings.entries.tools)
  }

  override checkParams(): Outcome | null {
    if (this.#malformed !== null) return this.#malformed
    const { inexact } = this.call
    // before the cache is asked, where two numbers that became one would have one key
    if (inexact !== null) return this.#refuseInput(inexact)
    // earlier revisions have no such headers
    if (this.call.revision !== null) return null
    const why = findParamMismatch(this.entry.headers, this.call.headers, this.input)
    return why === null ? null : fail({ kind: 'header-mismatch', why })
  }

  override load(): Promise<unknown> | null {
    const loading = mapSync(definitions.load(this.entry), (tool) => this.#begin(tool))
    return loading instanceof Promise ? loading : null
  }

  #begin(tool: Tool): void {
    const { call } = this
    const { sanitize } = tool.definition
    this.#tool = tool
    if (sanitize !== undefined) call.resultSanitizer = toToolSanitizer(call.sanitizer, sanitize)
  }

  get #loaded(): Tool {
    if (this.#tool === null) throw new TypeError(`${this.name} was used before it was loaded.`)
    return this.#tool
  }

  override get limitMs(): number {
    const timeout = this.#tool?.definition.timeout
    return timeout === undefined ? defaultLimitMs : toMilliseconds(timeout)
  }

  override get limits(): ToolLimits | null {
    const { limit, parallel, hints } = this.#loaded.definition
    if (limit === undefined && parallel === undefined) return null
    return { limit, parallel, hints }
  }

  override toCacheLookup(): CacheLookup | null {
    const { name, input, entry } = this
    const { cache } = entry
    if (cache === null) return null
    const { ttlMs, staleMs } = cache
    return {
      request: { method: 'tools/call', name, input },
      partition: toPartition(toPartitionedEntry(entry, cache), this.call.caller),
      lifetime: { ttlMs, staleMs, tags: toToolTags(name) },
    }
  }

  override checkInput(): Outcome | null | Promise<Outcome | null> {
    const tool = this.#loaded
    const { uses } = tool.definition
    if (uses === undefined) return this.#check(tool, this.input, noIds)
    const taken = readUses(this.input, uses, this.call.state.handles.creatorOf)
    if (!taken.ok) return this.#refuseInput(taken.problems.join(' '), '')
    return this.#check(tool, taken.input, taken.ids)
  }

  #check(
    tool: Tool,
    input: JsonObject,
    ids: ReadonlyMap<string, string>,
  ): Outcome | null | Promise<Outcome | null> {
    // most schemas are synchronous, and then no promise is needed
    return mapSync(tool.checkInput(input), (checked) => {
      if (!checked.ok) return this.#refuseInput(checked.problems.join(' '))
      this.#checked = { input: checked.value, ids }
      return null
    })
  }

  override get hasRounds(): boolean {
    return true
  }

  override get asks(): boolean {
    return this.#loaded.definition.ask !== undefined
  }

  override get runsOnce(): boolean {
    const { hints = {} } = this.#loaded.definition
    return this.asks && hints.idempotent !== true && hints.readOnly !== true
  }

  override ask(answers: AnswerValues, can: Abilities): unknown {
    const { definition } = this.#loaded
    if (definition.ask === undefined) return {}
    const { input, ids } = this.#checked ?? nothingChecked
    const { handles } = this.call.state
    const { read, list } = createHandles(handles)
    const use = openReaders(handles, definition.uses ?? {}, ids)
    const context: AskContext<unknown, Uses> = Object.assign(this.#toContext(), {
      input,
      answers,
      can,
      use,
      read,
      list,
    })
    return definition.ask(context)
  }

  override run(answers: AnswerValues): Outcome | Promise<Outcome> {
    const { definition } = this.#loaded
    let returned: unknown
    if (definition.cache === undefined) {
      returned = definition.run(this.#toRunContext(answers, definition.uses ?? {}))
    } else {
      const { trace: _, caller, ...rest } = this.#toContext()
      const cached = { ...rest, input: this.#checked?.input }
      returned =
        // a shared result must not depend on the caller
        definition.shared === true
          ? definition.run(withUnavailable(unavailableWhereShared, cached))
          : definition.run(withUnavailable(unavailableWhereCached, { ...cached, caller }))
    }
    // most tools are synchronous, and then no promise is needed
    return isThenable(returned)
      ? this.#serializeLater(returned)
      : serializeResult(this.#loaded, returned, this.#results)
  }

  async #serializeLater(returning: PromiseLike<unknown>): Promise<Outcome> {
    return serializeResult(this.#loaded, await returning, this.#results)
  }

  #toRunContext(answers: AnswerValues, uses: Uses): RunContext<unknown, AnswerValues, Uses> {
    const { input, ids } = this.#checked ?? nothingChecked
    const { state } = this.call
    return Object.assign(this.#toContext(), {
      ...createHandles(state.handles),
      input,
      answers,
      use: openUses(state.handles, uses, ids),
      progress: createProgress(this.call),
      notify: state.notify,
      purge: state.purge,
    })
  }

  #toContext(): WorkContext {
    return new WorkContext(this.call, this.name, this.deadline)
  }

  get #results(): ResultSettings {
    const { sanitizer, resultSanitizer, settings } = this.call
    const { maxResultBytes: maxBytes } = settings
    return { name: this.name, sanitizer: resultSanitizer ?? sanitizer, maxBytes }
  }

  override refuse(why: string): Outcome {
    return toErrorResult(why, this.#results)
  }

  /** Invalid arguments are for the model to correct, except in revisions where they are errors. */
  #refuseInput(problems: string, before = `${this.name} was not run. `): Outcome {
    const why = `${before}${problems}`
    if (this.call.revision?.inputErrors !== 'error') return this.refuse(why)
    return fail({ kind: 'invalid-params', why })
  }

  override toFault(errorId: string): Outcome {
    const why = `${this.name} failed because of a fault on the server, not in your input.`
    return { ...toErrorResult(`${why} Error id: ${errorId}.`, this.#results), errorId }
  }

  override get lateText(): string {
    const timeout = this.#tool?.definition.timeout ?? '30s'
    return (
      `${this.name} did not finish within ${timeout} and was stopped. ` +
      'Ask for less, or try again later.'
    )
  }
}

const noIds: ReadonlyMap<string, string> = new Map()
const nothingChecked = { input: undefined, ids: noIds }

/** Returns whether a value is a promise of any library. Those of Workers RPC are functions. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  const mayBe = isJsonObject(value) || typeof value === 'function'
  return mayBe && typeof Reflect.get(value, 'then') === 'function'
}

function toPartitionedEntry(
  entry: ToolEntry,
  { shared }: { readonly shared: boolean },
): PartitionedEntry {
  return { key: entry.name, shared, isOpen: isVisibleToAll(entry) }
}

/** Creates the work that computes a tool's result for the cache; `null` for a tool without `cache`. */
export function toCachedToolWork(
  call: Call,
  { name, input }: { readonly name: string; readonly input: JsonObject },
  partition: CachePartition,
): ToolWork | null {
  const entry = call.settings.entries.tools.get(name)
  if (entry === undefined || entry.cache === null) return null
  if (!isPartitionOf(partition, toPartitionedEntry(entry, entry.cache))) return null
  return new ToolWork(call, entry, input)
}
