import { BoundedMap } from '../kit/bounded-map.ts'

/** Remembers what was purged, where the cache cannot be told. */
export interface PurgeTimes {
  readonly add: (tags: readonly string[] | 'everything') => void
  /** Whether something with these tags, made then, was purged since. */
  readonly have: (tags: readonly string[], madeAt: number) => boolean
}

const maxTags = 1_000

/** Makes the memory of one isolate. */
export function createPurgeTimes(): PurgeTimes {
  const times = new BoundedMap<string, number>(maxTags)
  let everything = 0
  return {
    add(tags) {
      const now = Date.now()
      if (tags === 'everything') everything = now
      else for (const tag of tags) times.set(tag.toLowerCase(), now)
    },
    have: (tags, madeAt) =>
      everything >= madeAt || tags.some((tag) => (times.get(tag.toLowerCase()) ?? 0) >= madeAt),
  }
}
