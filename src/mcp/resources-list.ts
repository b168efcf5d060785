import type { CachePartition } from '../cache/cache-key.ts'
import { listTag } from '../cache/purge.ts'
import type { CacheLookup } from '../cache/read-through.ts'
import type { ResourceEntry } from '../define/registry.ts'
import { type CacheHints, type Outcome } from '../protocol/outcome.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import type { Call } from './call.ts'
import { Deadline } from './deadline.ts'
import { badCursor, isCursor } from './lists.ts'
import { type Rows, toMergedPage } from './merged-page.ts'
import { toPage } from './pagination.ts'
import { runPipeline } from './pipeline.ts'
import { createRowSource } from './resource-rows.ts'
import { checkSize } from './result-size.ts'
import { filterVisible, isOpen } from './visibility.ts'
import { Work, defaultLimitMs } from './work.ts'

/**
 * `resources/list` (server/resources, "Listing Resources"). Without templates that list rows it is
 * printed once; with them it may cost something, and is cached.
 */
export async function listResources(call: Call): Promise<Outcome> {
  const { resources } = call.settings.registry
  if (!resources.some(isDynamic)) return call.settings.entries.lists.resources.answer(call)
  const { cursor } = call.params
  if (!isCursor(cursor)) return badCursor
  const visible = await filterVisible(toListed(resources), call)
  return runPipeline(new RowsWork(call, cursor, visible))
}

/**
 * One page of `resources/list`: the fixed resources by URI, then the rows of each template, in their
 * order. Which entries the caller sees was decided before.
 */
class RowsWork extends Work {
  readonly entry = null
  readonly deadline: Deadline
  override readonly hints: CacheHints
  readonly #cursor: string | undefined
  readonly #visible: readonly ResourceEntry[]

  constructor(call: Call, cursor: string | undefined, visible: readonly ResourceEntry[]) {
    super(call, '', {})
    this.deadline = new Deadline(call, defaultLimitMs)
    this.#cursor = cursor
    this.#visible = visible
    const { registry, listHints } = call.settings
    const isForEverybody = toListed(registry.resources).every(
      (entry) => isOpen(entry) && !isToldCaller(entry),
    )
    this.hints = isForEverybody ? listHints : { ...listHints, cacheScope: 'private' }
  }

  override unknown(): Outcome {
    return badCursor
  }

  override load(): null {
    return null
  }

  override toCacheLookup(): CacheLookup {
    const { call } = this
    const { registry, listHints, staleListsMs } = call.settings
    const isSame = toListed(registry.resources).every(isOpen)
    const guarded = this.#visible.filter((entry) => !isOpen(entry)).map(({ uri }) => uri)
    return {
      request: { method: 'resources/list', cursor: this.#cursor },
      partition: {
        ...(this.#visible.some(isToldCaller) && { caller: call.caller }),
        ...(!isSame && { visible: guarded }),
      },
      lifetime: { ttlMs: listHints.ttlMs, staleMs: staleListsMs, tags: [listTag] },
    }
  }

  override async run(): Promise<Outcome> {
    const { call, deadline } = this
    const { page } = call.settings
    const fixed = this.#visible.filter((entry) => !isDynamic(entry))
    const sources = [
      { key: '', list: (cursor: string | undefined) => toFixedRows(fixed, page, cursor) },
      ...this.#visible.filter(isDynamic).map((entry) => createRowSource(entry, call, deadline)),
    ]
    const merged = await toMergedPage('resources', sources, page ?? Infinity, this.#cursor)
    if (merged === null) return badCursor
    const members = checkSize('The list of resources', print(merged), call.settings.maxResultBytes)
    return { kind: 'result', members }
  }
}

/** The work that makes a page for the cache; `null` where the key is not one that a call has. */
export function toCachedRowsWork(
  call: Call,
  cursor: string | undefined,
  { caller, visible = [] }: CachePartition,
): Work | null {
  const listed = toListed(call.settings.registry.resources)
  const seen = listed.filter((entry) => isOpen(entry) || visible.includes(entry.uri))
  const isCallerKnown = caller !== undefined
  return isCallerKnown === seen.some(isToldCaller) ? new RowsWork(call, cursor, seen) : null
}

/** What `resources/list` is made from, by URI. */
function toListed(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  return entries
    .filter(({ uri, dynamic }) => dynamic || !isTemplate(uri))
    .toSorted((a, b) => (a.uri < b.uri ? -1 : 1))
}

function isDynamic({ dynamic }: ResourceEntry): boolean {
  return dynamic
}

/** A `list` that was told who calls may have answered accordingly. */
function isToldCaller({ dynamic, shared }: ResourceEntry): boolean {
  return dynamic && !shared
}

function toFixedRows(
  fixed: readonly ResourceEntry[],
  size: number | undefined,
  cursor: string | undefined,
): Rows | null {
  const entries = fixed.map(({ uri, listed }) => ({ key: uri, listed }))
  const page = toPage('fixed resources', entries, size, cursor)
  if (page === null) return null
  const { items, next } = page
  return { listed: items.map(({ listed }) => listed), ...(next !== undefined && { next }) }
}

function print({ listed, next }: Rows): string {
  const cursor = next === undefined ? '' : `,"nextCursor":${JSON.stringify(next)}`
  return `"resources":[${listed.join(',')}]${cursor}`
}
