import { filterVisible, isOpen, type Guarded } from '../calls/visibility.ts'
import { BoundedMap } from '../kit/bounded-map.ts'
import { createList, type List } from '../registry/list.ts'
import type { Listed } from '../registry/page.ts'
import { fail, type CacheHints, type Outcome } from '../wire/outcome.ts'
import type { JsonObject } from '../wire/json.ts'
import { toCacheable } from './cacheable.ts'
import type { MethodSettings } from './method-settings.ts'
import type { Method } from './protocol.ts'

/** An entry as a list method wants it. */
export type ListEntry = Listed & Guarded

/** How many different views of a list are kept printed. */
const maxViews = 64

/**
 * Makes a list method, such as `tools/list`, with its cursor and its caching hints. A list that may
 * differ from viewer to viewer is printed once for each set of entries that somebody saw, and is
 * `private` to each caller (server/utilities/caching, "Choosing a Cache Scope").
 */
export function createListMethod(
  name: string,
  entries: readonly ListEntry[],
  { page, lists }: Pick<MethodSettings, 'page' | 'lists'>,
): Method {
  if (entries.every(isOpen)) {
    const list = createList(name, entries, page)
    return ({ params }) => toPageOutcome(list, params, lists)
  }
  const views = new BoundedMap<string, List>(maxViews)
  const cache = { ...lists, cacheScope: 'private' } as const
  return async ({ params }, exchange) => {
    const visible = await filterVisible(entries, exchange)
    const view = visible.map(({ key }) => key).join('\n')
    const list = views.getOrMake(view, () => createList(name, visible, page))
    return toPageOutcome(list, params, cache)
  }
}

function toPageOutcome(list: List, { cursor }: JsonObject, cache: CacheHints): Outcome {
  const members = isCursor(cursor) ? list.print(cursor) : null
  if (members === null) return badCursor
  return toCacheable({ kind: 'result', members }, cache)
}

/** Tells what may be a cursor from what no page ever gave. */
export function isCursor(cursor: unknown): cursor is string | undefined {
  return cursor === undefined || typeof cursor === 'string'
}

/** The answer to a cursor that is none of a list's (server/utilities/pagination, "Error Handling"). */
export const badCursor: Outcome = fail({
  kind: 'invalid-params',
  why: 'The cursor is not one that this list gave. Start again without a cursor.',
})
