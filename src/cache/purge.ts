import type { Purge, Purged } from '../define/contexts.ts'
import { findListings } from './workers-store.ts'

/** Opens the purge for one request, or for a handler that was called by no client. */
export type OpenPurge = (exports: unknown) => Purge

/**
 * Makes what purges Workers Cache. `narrow` leaves out what is never kept: the platform takes only a
 * few purges a minute.
 */
export function createWorkersPurge(narrow: (what: Purged) => Purged, times: PurgeTimes): OpenPurge {
  return (exports) => async (what) => {
    const tags = what === 'everything' ? what : toPurgeTags(narrow(what))
    if (tags.length === 0) return
    times.add(tags)
    const result = await findListings(exports)?.purge(tags)
    if (!result || result.success) return
    const why = result.errors.map(({ message }) => message.replace(/\.$/, '')).join('; ')
    throw new Error(
      `The cache was not purged (${why}). What is kept there goes on being served until its time is ` +
        'over. Purge again in a minute, and less often: the platform takes a few purges a minute.',
    )
  }
}

/** Makes the purge of the Cache API, which has none: it reaches what this isolate would serve. */
export function createColoPurge(times: PurgeTimes): OpenPurge {
  return () => async (what) => times.add(what === 'everything' ? what : toPurgeTags(what))
}

/** When what was purged last. What was made before that may not have in it what changed. */
export interface PurgeTimes {
  readonly add: (tags: readonly string[] | 'everything') => void
  /** When any of these tags was purged last, in milliseconds since 1970; 0 for never. */
  readonly last: (tags: readonly string[]) => number
}

const maxTags = 1_000

/** Makes the memory of one isolate. */
export function createPurgeTimes(): PurgeTimes {
  const times = new Map<string, number>()
  let everything = 0

  const add = (tag: string, now: number): void => {
    // to the end: the first is what was purged longest ago
    times.delete(tag)
    times.set(tag, now)
    if (times.size <= maxTags) return
    for (const [oldest, time] of times) {
      // forgotten by its name only: it is as if everything had been purged then
      everything = Math.max(everything, time)
      times.delete(oldest)
      return
    }
  }
  return {
    add(tags) {
      const now = Date.now()
      if (tags === 'everything') everything = now
      else for (const tag of tags) add(tag.toLowerCase(), now)
    },
    last: (tags) => Math.max(everything, ...tags.map((tag) => times.get(tag.toLowerCase()) ?? 0)),
  }
}

/*
 * What kept answers are tagged with, so that they can be purged. The platform takes printable ASCII,
 * ignores case, and drops a tag that is too long without a word.
 */

const maxTag = 1_000

/** On every list that was kept. */
export const listTag = 'resources'

/** On the result of a tool. */
export function toToolTags(name: string): readonly string[] {
  return [everyTool, `tool:${name}`]
}

/** On what was read at a URI, from an entry whose own URI may be a template. */
export function toReadTags(uri: string, entryUri: string): readonly string[] {
  return uri === entryUri ? [toUriTag(uri)] : [toUriTag(uri), toUriTag(entryUri)]
}

/** The tags of all that is to be purged. */
export function toPurgeTags({ tools = [], resources = [], lists = false }: Purged): string[] {
  const toolTags = tools === 'all' ? [everyTool] : tools.map((name) => `tool:${name}`)
  return [...toolTags, ...resources.map(toUriTag), ...(lists ? [listTag] : [])]
}

const everyTool = 'tools'

// URIs that only differ past the limit are purged together: the answer is made once too often
function toUriTag(uri: string): string {
  return `uri:${encodeURIComponent(uri.toWellFormed())}`.slice(0, maxTag)
}
