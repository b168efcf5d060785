import { toPage, type Listed } from './page.ts'

/** One list of the protocol, such as the tools, ready to be printed page by page. */
export interface List {
  /** The result's members for the page that `cursor` asks for; `null` for a cursor not of ours. */
  readonly print: (cursor: string | undefined) => string | null
}

/**
 * Makes a list that prints as `"{name}":[...]`, in the order of the keys and the same to the byte
 * each time, so that clients and their models' caches can rely on it (server/tools, "Capabilities").
 */
export function createList(name: string, entries: readonly Listed[], size?: number): List {
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  // the page that everybody asks for is printed once in the life of the isolate
  let first: string | null = null
  return {
    print(cursor) {
      if (cursor === undefined && first !== null) return first
      const page = toPage(name, sorted, size, cursor)
      if (page === null) return null
      const items = page.items.map(({ listed }) => listed).join(',')
      const next = page.next === undefined ? '' : `,"nextCursor":${JSON.stringify(page.next)}`
      const members = `${JSON.stringify(name)}:[${items}]${next}`
      if (cursor === undefined) first = members
      return members
    },
  }
}
