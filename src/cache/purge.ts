import type { Purged } from '../define/contexts.ts'

/*
 * The tags of cached results, by which they are purged. The platform accepts printable ASCII, ignores
 * case, and drops a tag that is too long without an error.
 */

const maxTag = 1_000

export const listTag = 'resources'

const everyToolTag = 'tools'

export function toToolTags(name: string): readonly string[] {
  return [everyToolTag, toToolTag(name)]
}

/** Returns the tags of a resource that was read at a URI; the entry's own URI may be a template. */
export function toReadTags(uri: string, entryUri: string): readonly string[] {
  return uri === entryUri ? [toUriTag(uri)] : [toUriTag(uri), toUriTag(entryUri)]
}

export function toPurgeTags({ tools = [], resources = [], lists = false }: Purged): string[] {
  const toolTags = tools === 'all' ? [everyToolTag] : tools.map(toToolTag)
  return [...toolTags, ...resources.map(toUriTag), ...(lists ? [listTag] : [])]
}

function toToolTag(name: string): string {
  return `tool:${name}`
}

// URIs that differ only after the limit are purged together, which costs one needless run
function toUriTag(uri: string): string {
  return `uri:${encodeURIComponent(uri.toWellFormed())}`.slice(0, maxTag)
}

const maxTimes = 1_000

/**
 * The last purge of each tag, as far as this isolate knows. A result that was begun before a purge may
 * contain what the purge was for, even if it is stored after it.
 */
export class PurgeTimes {
  readonly #times = new Map<string, number>()
  #everything = 0

  add(tags: readonly string[] | 'everything'): void {
    const now = Date.now()
    if (tags === 'everything') this.#everything = now
    else for (const tag of tags) this.#set(tag.toLowerCase(), now)
  }

  /** Returns when any of these tags was purged last, in milliseconds since 1970; 0 for never. */
  last(tags: readonly string[]): number {
    const times = tags.map((tag) => this.#times.get(tag.toLowerCase()) ?? 0)
    return Math.max(this.#everything, ...times)
  }

  #set(tag: string, now: number): void {
    // deleted first, so that the map stays in the order of the purges
    this.#times.delete(tag)
    this.#times.set(tag, now)
    if (this.#times.size <= maxTimes) return
    for (const [oldest, time] of this.#times) {
      // a forgotten tag counts as a purge of everything: a needless run rather than an old result
      this.#everything = Math.max(this.#everything, time)
      this.#times.delete(oldest)
      return
    }
  }
}
