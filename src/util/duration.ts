import { BoundedMap } from './bounded-map.ts'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export type Duration = `${number}${keyof typeof units}`

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/**
 * Converts a {@link Duration} to whole milliseconds.
 *
 * @throws {RangeError} when the text is not a number followed by `ms`, `s`, `m`, `h` or `d`.
 */
export function toMilliseconds(duration: Duration): number {
  return known.getOrMake(duration, () => parse(duration))
}

// a Worker has few durations, and every call reads that of its tool
const known = new BoundedMap<Duration, number>(64)

function parse(duration: Duration): number {
  const [, amount, unit] = pattern.exec(duration) ?? []
  if (!isUnit(unit)) {
    throw new RangeError(
      `"${duration}" is not a duration. Write a number and a unit, such as "20s", "5m" or "24h".`,
    )
  }
  return Math.round(Number(amount) * units[unit])
}

export function isDuration(value: unknown): value is Duration {
  return typeof value === 'string' && pattern.test(value)
}

function isUnit(unit: string | undefined): unit is keyof typeof units {
  return unit !== undefined && Object.hasOwn(units, unit)
}
