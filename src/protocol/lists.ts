import type { List } from '../registry/list.ts'
import { fail, type CacheHints } from '../wire/outcome.ts'
import type { Method } from './protocol.ts'

/** Makes a list method, such as `tools/list`, with its cursor and its caching hints. */
export function createListMethod(list: List, cache: CacheHints): Method {
  const hints = `,"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}"`
  return ({ params }) => {
    const { cursor } = params
    if (cursor !== undefined && typeof cursor !== 'string') {
      return fail({
        kind: 'invalid-params',
        why: 'The cursor must be a string that an earlier page gave.',
      })
    }
    const members = list.print(cursor)
    if (members === null) {
      const why = 'The cursor is not one that this list gave. Start again without a cursor.'
      return fail({ kind: 'invalid-params', why })
    }
    return { kind: 'result', members: members + hints, cache }
  }
}
