import type { CachePartition } from '../cache/cache-key.ts'
import { listTag } from '../cache/purge.ts'
import type { CacheLookup } from '../cache/read-through.ts'
import type { ResourceEntry } from '../define/registry.ts'
import type { Resource, ResourceRow } from '../define/resource.ts'
import type { Annotations, Icon } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { CacheHints, Outcome } from '../protocol/outcome.ts'
import { type Shape, anyText, readMembers, resourceMembers } from '../protocol/read-members.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import type { Call } from './call.ts'
import { ClientGone, Deadline } from './deadline.ts'
import { badCursor, isCursor } from './lists.ts'
import { type RowSource, type RowPage, toMergedPage, toPage } from './pagination.ts'
import { runPipeline } from './pipeline.ts'
import { checkSize } from './result-size.ts'
import { type VisibleEntries, filterVisible, isVisibleToAll } from './visibility.ts'
import { Work } from './work.ts'

/**
 * `resources/list` (server/resources, "Listing Resources"). It is printed once, unless a template
 * has a `list`, which may be expensive: then it is cached.
 */
export async function listResources(call: Call): Promise<Outcome> {
  const { listedResources, lists } = call.settings.entries
  if (!listedResources.some(isDynamic)) return lists.resources.answer(call)
  const { cursor } = call.params
  if (!isCursor(cursor)) return badCursor
  return runPipeline(new RowsWork(call, cursor, await filterVisible(listedResources, call)))
}

/**
 * One page of `resources/list`: the fixed resources by URI, then the rows of each template. The
 * visible entries are decided before.
 */
class RowsWork extends Work {
  readonly entry = null
  override readonly hints: CacheHints
  readonly #cursor: string | undefined
  readonly #visible: readonly ResourceEntry[]

  constructor(
    call: Call,
    cursor: string | undefined,
    { visible, isCertain }: VisibleEntries<ResourceEntry>,
  ) {
    super(call, '', {})
    this.#cursor = cursor
    this.#visible = visible
    const { entries, listHints } = call.settings
    const isForEverybody = entries.listedResources.every(
      (entry) => isVisibleToAll(entry) && !isToldCaller(entry),
    )
    const hints: CacheHints = isForEverybody ? listHints : { ...listHints, cacheScope: 'private' }
    this.hints = isCertain ? hints : { ...hints, ttlMs: 0 }
  }

  override toUnknown(): Outcome {
    return badCursor
  }

  override load(): null {
    return null
  }

  override toCacheLookup(): CacheLookup {
    const { call } = this
    const { entries, listHints, staleListsMs } = call.settings
    const isSame = entries.listedResources.every(isVisibleToAll)
    const guarded = this.#visible.filter((entry) => !isVisibleToAll(entry)).map(({ uri }) => uri)
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
    const { call } = this
    const { page, maxResultBytes } = call.settings
    const fixed = this.#visible.filter((entry) => !isDynamic(entry))
    const failures: ListFailure[] = []
    const sources = [
      { key: '', list: (cursor: string | undefined) => toFixedRows(fixed, page, cursor) },
      ...this.#visible.filter(isDynamic).map((entry) => this.#toSource(entry, failures)),
    ]
    const merged = await toMergedPage('resources', sources, page ?? Infinity, this.#cursor)
    if (merged === null) return badCursor
    const [first] = failures
    // an empty list would hide from the client that there may be resources
    if (first !== undefined && merged.listed.length === 0 && merged.next === undefined) {
      logFailures(call, failures.slice(1))
      throw first.error
    }
    const members = checkSize('The list of resources', print(merged), maxResultBytes)
    const [errorId] = logFailures(call, failures)
    return { kind: 'result', members, ...(errorId !== undefined && { errorId }) }
  }

  /** Creates a source that has no entries if the template's `list` fails: the others have theirs. */
  #toSource(entry: ResourceEntry, failures: ListFailure[]): RowSource {
    const { call, deadline } = this
    return {
      key: entry.uri,
      async list(cursor) {
        const patience = new Deadline(call, Math.min(patienceMs, deadline.leftMs - reserveMs))
        try {
          return await patience.within(listEntry(entry, cursor, call, patience))
        } catch (error) {
          if (error instanceof ClientGone) throw error
          failures.push({ uri: entry.uri, error })
          return { listed: [] }
        }
      },
    }
  }
}

/** Milliseconds that the list of one template may take. */
const patienceMs = 20_000

/** Milliseconds that are left for the reply, whatever the lists took. */
const reserveMs = 1_000

interface ListFailure {
  readonly uri: string
  readonly error: unknown
}

function logFailures({ log }: Call, failures: readonly ListFailure[]): readonly string[] {
  return failures.map(({ uri, error }) => log.error(`list of ${uri}`, error))
}

/** Creates the work that computes a page for the cache; `null` for a key that no call has. */
export function toCachedRowsWork(
  call: Call,
  cursor: string | undefined,
  { caller, visible = [] }: CachePartition,
): Work | null {
  const { listedResources } = call.settings.entries
  const seen = listedResources.filter(
    (entry) => isVisibleToAll(entry) || visible.includes(entry.uri),
  )
  const isCallerKnown = caller !== undefined
  if (isCallerKnown !== seen.some(isToldCaller)) return null
  return new RowsWork(call, cursor, { visible: seen, isCertain: true })
}

function isDynamic({ dynamic }: ResourceEntry): boolean {
  return dynamic
}

function isToldCaller({ dynamic, shared }: ResourceEntry): boolean {
  return dynamic && !shared
}

function toFixedRows(
  fixed: readonly ResourceEntry[],
  size: number | undefined,
  cursor: string | undefined,
): RowPage | null {
  const entries = fixed.map(({ uri, listed }) => ({ key: uri, listed }))
  const page = toPage('fixed resources', entries, size, cursor)
  if (page === null) return null
  const { items, next } = page
  return { listed: items.map(({ listed }) => listed), ...(next !== undefined && { next }) }
}

function print({ listed, next }: RowPage): string {
  const cursor = next === undefined ? '' : `,"nextCursor":${JSON.stringify(next)}`
  return `"resources":[${listed.join(',')}]${cursor}`
}

/**
 * Lists one page of a template. A row that clients would refuse is left out, and so is one whose URI
 * does not lead to this template: it could not be read, or another resource serves it and is already
 * listed.
 */
async function listEntry(
  entry: ResourceEntry,
  cursor: string | undefined,
  call: Call,
  deadline: Deadline,
): Promise<RowPage> {
  const { findResource } = call.settings.entries
  const { default: resource } = await entry.load()
  const { resources, next } = await callList(resource, cursor, call, deadline)
  const rows = readRows(resources, resource.definition, call)
  const served = rows.filter(({ uri }) => findResource(uri)?.entry.uri === entry.uri)
  if (served.length < rows.length) warnOfStrays(call, entry.uri, rows.length - served.length)
  const listed = served.map(({ printed }) => printed)
  checkSize(`The list of ${entry.uri}`, listed.join(), call.settings.maxResultBytes)
  return { listed, ...(next !== undefined && { next }) }
}

function warnOfStrays({ log }: Call, template: string, count: number): void {
  log.warn(
    `list of ${template}`,
    `${count} resources were left out: this template does not match their URIs, or another one ` +
      'matches first. Create URIs from the template, with encodeURIComponent around each value.',
  )
}

interface RawPage {
  readonly resources: readonly unknown[]
  readonly next?: string
}

/**
 * Calls the `list` of a template for one page.
 *
 * @throws {TypeError} for a value that the types forbid, and for a `next` that equals the cursor,
 *   which would loop for ever.
 */
async function callList(
  { definition }: Resource,
  cursor: string | undefined,
  call: Call,
  deadline: Deadline,
): Promise<RawPage> {
  const { env, caller } = call
  const context = { cursor, env, signal: deadline.signal }
  const page: unknown = await (definition.shared === true
    ? definition.list?.(context)
    : definition.list?.({ ...context, caller }))
  const { resources, next } = isJsonObject(page) ? page : {}
  const isText = typeof next === 'string'
  if (!Array.isArray(resources) || !(isText || next === undefined || next === null)) {
    throw new TypeError(`The list of ${definition.uri} did not return { resources, next }.`)
  }
  if (isText && next === cursor) {
    throw new TypeError(`The list of ${definition.uri} returned its own cursor as \`next\`.`)
  }
  return isText ? { resources, next } : { resources }
}

const rowShape: Shape<ResourceRow> = { ...resourceMembers, mime: anyText }

/** How many wrong rows of a page are named in the log. */
const maxNamed = 10

interface PrintedRow {
  readonly uri: string
  readonly printed: string
}

/**
 * Reads and prints the rows of a page, without those that clients would refuse together with the whole list.
 * A row that fails in any other way, such as in a getter, fails alone.
 */
function readRows(
  rows: readonly unknown[],
  { uri: template, mime }: Resource['definition'],
  { log }: Call,
): readonly PrintedRow[] {
  const wrong: string[] = []
  const read = rows.flatMap((given, index): readonly PrintedRow[] => {
    try {
      const row = readMembers(rowShape, isJsonObject(given) ? given : {}, '')
      const printed = JSON.stringify(toResourceListing({ ...row, mime: row.mime ?? mime }))
      return [{ uri: row.uri, printed }]
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it could not be read.'
      wrong.push(`${toRowName(given, index)}: ${why}`)
      return []
    }
  })
  if (wrong.length > 0) {
    const named = wrong.slice(0, maxNamed).join(' ')
    log.error(
      `list of ${template}`,
      new TypeError(`${wrong.length} of ${rows.length} resources were left out. ${named}`),
    )
  }
  return read
}

function toRowName(row: unknown, index: number): string {
  try {
    const { uri, name } = isJsonObject(row) ? row : {}
    const shown = typeof uri === 'string' ? uri : name
    return typeof shown === 'string' ? `resources[${index}] (${shown})` : `resources[${index}]`
  } catch {
    return `resources[${index}]`
  }
}

type ResourceListing = ({ readonly uri: string } | { readonly uriTemplate: string }) & {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType: string
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/**
 * Converts a resource or template to its list entry. The order of keys does not depend on the
 * author's.
 */
export function toResourceListing(
  resource: ResourceRow & { readonly mime: string },
): ResourceListing {
  const { uri, name, title, description, mime, size, icons, annotations } = resource
  return {
    ...(isTemplate(uri) ? { uriTemplate: uri } : { uri }),
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    mimeType: mime,
    ...(size !== undefined && { size }),
    ...(icons !== undefined && { icons }),
    ...(annotations !== undefined && { annotations }),
  }
}
