/** The registries that a hub has told its listeners of. */
export interface Announced {
  /** Their digests, newest first. */
  readonly digests: readonly string[]
  /** When the newest one took the place of another, in milliseconds since 1970; 0 for the first. */
  readonly since: number
}

export const nothingAnnounced: Announced = { digests: [], since: 0 }

/**
 * How many digests are remembered. Versions that are served side by side, as in a gradual
 * deployment, must not announce themselves in turns.
 */
const remembered = 16

/** How long an announcement is news: the time that clients take to come back after a deploy. */
const newsMs = 60_000

/** Adds a digest, or says `null` where it was announced before. */
export function announce({ digests }: Announced, digest: string, now: number): Announced | null {
  if (digests.includes(digest)) return null
  // a first registry replaces none, so nobody can hold an older list
  const since = digests.length === 0 ? 0 : now
  return { digests: [digest, ...digests].slice(0, remembered), since }
}

/**
 * Tells whether a listener that joins now has to be told of the last announcement. A deploy restarts
 * the hub, so that those whom it concerns are away at that very moment.
 */
export function isNews({ since }: Announced, now: number): boolean {
  return now - since < newsMs
}
