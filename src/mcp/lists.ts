import { countBytes } from '../out/audit.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type CacheHints, type Outcome, fail } from '../protocol/outcome.ts'
import type { ListName, Revision } from '../protocol/revisions/revision.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { type ListItem, toPage } from './pagination.ts'
import { type RestrictedEntry, type Viewer, filterVisible, isVisibleToAll } from './visibility.ts'

interface ListEntry extends RestrictedEntry {
  readonly listed: string
}

interface ListOptions {
  /** Entries in a page; by default a list is one page. */
  readonly page: number | undefined
  /** The caching hints of a list that is the same for all callers. */
  readonly hints: CacheHints
}

interface ListCall extends Viewer {
  readonly revision: Revision | null
  readonly params: JsonObject
  readonly sanitizer: Sanitizer
}

/** How many different views of a list are cached. */
const maxViews = 64

/**
 * One list of the protocol, such as `tools/list`. A list that may differ between callers is printed
 * once for each set of visible entries, and is `private` to each caller (server/utilities/caching,
 * "Choosing a Cache Scope"). For revisions that begin with `initialize`, each set is also printed in
 * the shape of that revision.
 */
export class EntryList<Entry extends ListEntry> {
  readonly #name: ListName
  readonly #entries: readonly Entry[]
  readonly #keyOf: (entry: Entry) => string
  readonly #page: number | undefined
  readonly #hints: CacheHints
  readonly #isOpen: boolean
  readonly #views = new BoundedMap<string, PrintedList>(maxViews)
  readonly #legacyViews = new BoundedMap<string, PrintedList>(maxViews)
  readonly #whole: PrintedList

  constructor(
    name: ListName,
    entries: readonly Entry[],
    keyOf: (entry: Entry) => string,
    { page, hints }: ListOptions,
  ) {
    this.#name = name
    this.#entries = entries
    this.#keyOf = keyOf
    this.#page = page
    this.#isOpen = entries.every(isVisibleToAll)
    this.#hints = this.#isOpen ? hints : { ...hints, cacheScope: 'private' }
    this.#whole = this.#toPrinted(entries, null)
  }

  /** Returns the page at the cursor of the call, with the entries that the caller may see. */
  answer(call: ListCall): Outcome | Promise<Outcome> {
    if (!this.#isOpen) return this.#answerVisible(call)
    const { revision } = call
    const list = revision === null ? this.#whole : this.#find('', this.#entries, revision)
    return this.#print(list, call, this.#hints)
  }

  async #answerVisible(call: ListCall): Promise<Outcome> {
    const { visible, isCertain } = await filterVisible(this.#entries, call)
    const view = visible.map(this.#keyOf).join('\n')
    const list = this.#find(view, visible, call.revision)
    return this.#print(list, call, isCertain ? this.#hints : { ...this.#hints, ttlMs: 0 })
  }

  #print(list: PrintedList, { params, sanitizer }: ListCall, hints: CacheHints): Outcome {
    const { cursor } = params
    const page = isCursor(cursor) ? list.print(cursor, sanitizer) : null
    if (page === null) return badCursor
    return { kind: 'result', ...page, isClean: true, hints }
  }

  #find(view: string, entries: readonly Entry[], revision: Revision | null): PrintedList {
    const views = revision === null ? this.#views : this.#legacyViews
    return views.getOrMake(`${revision?.version}\n${view}`, () =>
      this.#toPrinted(entries, revision),
    )
  }

  #toPrinted(entries: readonly Entry[], revision: Revision | null): PrintedList {
    const items = entries.map((entry) => ({
      key: this.#keyOf(entry),
      listed:
        revision === null
          ? entry.listed
          : JSON.stringify(revision.toListed(this.#name, JSON.parse(entry.listed))),
    }))
    return new PrintedList(this.#name, items, this.#page)
  }
}

export function isCursor(cursor: unknown): cursor is string | undefined {
  return cursor === undefined || typeof cursor === 'string'
}

/** The outcome for a cursor of no page (server/utilities/pagination, "Error Handling"). */
export const badCursor: Outcome = fail({
  kind: 'invalid-params',
  why: 'The cursor is not from this list.',
  advice: 'Start again without a cursor.',
})

/** The members of a result with one page, and how many bytes they have. */
interface PrintedPage {
  readonly members: string
  readonly bytes: number
}

/**
 * A list that is printed as `"{name}":[...]`, sorted by key and identical each time, so that
 * clients and the prompt caches of their models can rely on it (server/tools, "Capabilities").
 */
export class PrintedList {
  readonly #name: string
  readonly #sorted: readonly ListItem[]
  readonly #size: number | undefined
  /** The first page, which nearly all clients ask for: sanitized and printed once in an isolate. */
  #first: { readonly page: PrintedPage; readonly sanitizer: Sanitizer } | null = null

  constructor(name: string, entries: readonly ListItem[], size?: number) {
    this.#name = name
    this.#sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    this.#size = size
  }

  /** Returns the page at `cursor`; `null` for a cursor of another list. */
  print(cursor: string | undefined, sanitizer: Sanitizer): PrintedPage | null {
    if (cursor === undefined && this.#first?.sanitizer === sanitizer) return this.#first.page
    const page = toPage(this.#name, this.#sorted, this.#size, cursor)
    if (page === null) return null
    const items = page.items.map(({ listed }) => listed).join(',')
    const next = page.next === undefined ? '' : `,"nextCursor":${JSON.stringify(page.next)}`
    const members = sanitizer.json(`${JSON.stringify(this.#name)}:[${items}]${next}`)
    const printed = { members, bytes: countBytes(members) }
    if (cursor === undefined) this.#first = { page: printed, sanitizer }
    return printed
  }
}
