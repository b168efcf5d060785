import type { List } from '../registry/list.ts'
import { fail, type CacheHints, type Outcome } from '../wire/outcome.ts'
import type { Method } from './protocol.ts'

/** Makes a list method, such as `tools/list`, with its cursor and its caching hints. */
export function createListMethod(list: List, cache: CacheHints): Method {
  const hints = `,"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}"`
  return ({ params }) => {
    const { cursor } = params
    const members = isCursor(cursor) ? list.print(cursor) : null
    return members === null ? badCursor : { kind: 'result', members: members + hints, cache }
  }
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
