/** Milliseconds between two signs of life of a listener. */
export const keepAliveMs = 15_000

/** What the hub knows of a listener's life, in milliseconds since 1970. */
export interface Life {
  readonly joined: number
  /** When it last gave a sign of life; `null` where it has given none since it joined. */
  readonly pinged: number | null
  readonly until: number
}

/**
 * When the hub must look at a listener again: at its end, or when it has missed two keep-alives in a
 * row and so has vanished without a word.
 */
export function toDeadline({ joined, pinged, until }: Life): number {
  return Math.min((pinged ?? joined) + 2 * keepAliveMs, until)
}
