/** What a `[[ratelimits]]` binding lets through: `limit` calls in each `period` of seconds. */
export interface RateWindow {
  readonly limit: number
  readonly period: number
}

/** The longest period that a binding can have; the other one, of ten seconds, ends with it. */
const longest = 60

/**
 * Whole seconds until the window of this moment ends, 1 or more. Windows begin with the clock and not
 * with the first call, and the binding itself does not say when. `now` is in milliseconds.
 */
export function toSecondsLeft(window: RateWindow | undefined, now: number): number {
  const period = window?.period ?? longest
  return Math.ceil(period - ((now / 1_000) % period))
}
