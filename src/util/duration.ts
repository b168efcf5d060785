import { BoundedMap } from './bounded-map.ts'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export type Duration = `${number}${keyof typeof units}`

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** A hundred years: an alarm or an expiry later than the year 2262 cannot be set. */
const longestMs = 36_500 * units.d

/**
 * Converts a {@link Duration} to whole milliseconds.
 *
 * @throws {RangeError} when the text is not a number followed by `ms`, `s`, `m`, `h` or `d`, or is
 *   longer than a hundred years.
 */
export function toMilliseconds(duration: Duration): number {
  return known.getOrMake(duration, () => parse(duration))
}

// a Worker has few durations, and every call reads that of its tool
const known = new BoundedMap<Duration, number>(64)

function parse(duration: Duration): number {
  const ms = measure(duration)
  if (ms === null) {
    throw new RangeError(
      `"${duration}" is not a duration. Write a number and a unit, such as "20s", "5m" or "24h", ` +
        'and at most "36500d".',
    )
  }
  return ms
}

export function isDuration(value: unknown): value is Duration {
  return typeof value === 'string' && measure(value) !== null
}

function measure(text: string): number | null {
  const [, amount, unit] = pattern.exec(text) ?? []
  if (!isUnit(unit)) return null
  const ms = Math.round(Number(amount) * units[unit])
  return ms <= longestMs ? ms : null
}

function isUnit(unit: string | undefined): unit is keyof typeof units {
  return unit !== undefined && Object.hasOwn(units, unit)
}
