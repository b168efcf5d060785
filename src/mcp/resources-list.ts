import type { CachePartition } from '../cache/cache-key.ts'
import { listTag } from '../cache/purge.ts'
import type { CacheLookup } from '../cache/read-through.ts'
import type { ResourceEntry } from '../define/registry.ts'
import type { Resource, ResourcePage, ResourceRow } from '../define/resource.ts'
import type { Annotations, Icon } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { CacheHints, Outcome } from '../protocol/outcome.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import type { Call } from './call.ts'
import { Deadline } from './deadline.ts'
import { badCursor, isCursor } from './lists.ts'
import { type RowSource, type RowPage, toMergedPage, toPage } from './pagination.ts'
import { runPipeline } from './pipeline.ts'
import { checkSize } from './result-size.ts'
import { filterVisible, isVisibleToAll } from './visibility.ts'
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
  const visible = await filterVisible(listedResources, call)
  return runPipeline(new RowsWork(call, cursor, visible))
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

  constructor(call: Call, cursor: string | undefined, visible: readonly ResourceEntry[]) {
    super(call, '', {})
    this.#cursor = cursor
    this.#visible = visible
    const { entries, listHints } = call.settings
    const isForEverybody = entries.listedResources.every(
      (entry) => isVisibleToAll(entry) && !isToldCaller(entry),
    )
    this.hints = isForEverybody ? listHints : { ...listHints, cacheScope: 'private' }
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
  return isCallerKnown === seen.some(isToldCaller) ? new RowsWork(call, cursor, seen) : null
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
 * Creates a source of list entries from a template with `list`. A row whose URI does not lead to
 * this template is left out: it could not be read, or another resource serves it and is already
 * listed.
 */
function createRowSource(entry: ResourceEntry, call: Call, deadline: Deadline): RowSource {
  const { findResource } = call.settings.entries
  return {
    key: entry.uri,
    async list(cursor) {
      const { default: resource } = await entry.load()
      const { resources, next } = await listRows(resource, cursor, call, deadline)
      const served = resources.filter(({ uri }) => findResource(uri)?.entry.uri === entry.uri)
      if (served.length < resources.length) {
        warnOfStrays(call, entry.uri, resources.length - served.length)
      }
      const { mime } = resource.definition
      return {
        listed: served.map((row) => JSON.stringify(toResourceListing({ mime, ...row }))),
        ...(next !== undefined && { next }),
      }
    },
  }
}

function warnOfStrays({ log }: Call, template: string, count: number): void {
  log.warn(
    `list of ${template}`,
    `${count} resources were left out: this template does not match their URIs, or another one ` +
      'matches first. Create URIs from the template, with encodeURIComponent around each value.',
  )
}

/**
 * Calls the `list` of a template for one page.
 *
 * @throws {TypeError} for a value that the types forbid, and for a `next` that equals the cursor,
 *   which would loop for ever.
 */
async function listRows(
  { definition }: Resource,
  cursor: string | undefined,
  call: Call,
  deadline: Deadline,
): Promise<ResourcePage> {
  const { env, caller } = call
  const context = { cursor, env, signal: deadline.signal }
  const page: unknown = await (definition.shared === true
    ? definition.list?.(context)
    : definition.list?.({ ...context, caller }))
  if (!isPage(page)) {
    throw new TypeError(
      `The list of ${definition.uri} did not return { resources, next }, ` +
        'in which each resource has a `uri` and a `name`.',
    )
  }
  if (page.next !== undefined && page.next === cursor) {
    throw new TypeError(`The list of ${definition.uri} returned its own cursor as \`next\`.`)
  }
  return page
}

function isPage(value: unknown): value is ResourcePage {
  if (!isJsonObject(value)) return false
  const { resources, next } = value
  return (
    (next === undefined || typeof next === 'string') &&
    Array.isArray(resources) &&
    resources.every(isRow)
  )
}

function isRow(value: unknown): value is ResourceRow {
  return (
    isJsonObject(value) && typeof value['uri'] === 'string' && typeof value['name'] === 'string'
  )
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
