import { expect, test } from 'vitest'
import { type Duration, toMilliseconds } from '../../../src/util/duration.ts'

test.each<[Duration, number]>([
  ['250ms', 250],
  ['20s', 20_000],
  ['1.5s', 1_500],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['30d', 2_592_000_000],
  ['36500d', 3_153_600_000_000],
])('%s is %i milliseconds', (duration, expected) => {
  expect(toMilliseconds(duration)).toBe(expected)
})

test.each([
  '',
  '20',
  's',
  '-1s',
  '20 s',
  '1w',
  '1e3s',
  'constructor',
  '36501d',
  `${'9'.repeat(400)}ms`,
])('refuses "%s"', (text) => {
  // a JavaScript author has no compiler to stop such a text
  expect(() => Reflect.apply(toMilliseconds, undefined, [text])).toThrow(/is not a duration/)
})
