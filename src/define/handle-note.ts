import type { Duration } from '../kit/duration.ts'

const words: ReadonlyMap<string, string> = new Map([
  ['ms', 'millisecond'],
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
])

/** The lifetime of a handle as a sentence, for the descriptions that a model reads. */
export function toNote(idle: Duration, max: Duration): string {
  return `Expires after ${toWords(idle)} without use, and ${toWords(max)} after its creation at the latest.`
}

/** A duration in words, in the unit that its author chose: `24 hours` and not one day. */
function toWords(duration: Duration): string {
  const amount = String(Number.parseFloat(duration))
  const word = words.get(duration.replace(/^[\d.]+/, '')) ?? ''
  return `${amount} ${word}${amount === '1' ? '' : 's'}`
}
