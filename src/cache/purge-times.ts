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
