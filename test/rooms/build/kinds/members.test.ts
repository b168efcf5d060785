import { expect, test } from 'vitest'
import { findNameProblems } from '../../../../src/build/kinds/members.ts'

test.each([
  'a',
  'get_weather',
  'billing.refund',
  'A-1',
  'constructor',
  '__proto__',
  'x'.repeat(128),
])('accepts the name %s', (name) => {
  expect(findNameProblems(name)).toEqual([])
})

test.each([
  ['', '"" is not a valid name'],
  ['get weather', '"get weather" is not a valid name'],
  ['wetter_für', '"wetter_für" is not a valid name'],
  ['a/b', '"a/b" is not a valid name'],
  ['a\nb', '"a\\nb" is not a valid name'],
  ['x'.repeat(129), `"${'x'.repeat(40)}..." is not a valid name`],
  [7, '`name` must be a string.'],
])('refuses the name %j', (name, start) => {
  const [problem, ...others] = findNameProblems(name)
  expect(problem).toContain(start)
  expect(others).toEqual([])
})
