import { expect, test } from 'vitest'
import { findNameProblems } from '../../../src/build/kinds/members.ts'

test.each([
  'a',
  'get_weather',
  'billing.refund',
  'A-1',
  'constructor',
  '__proto__',
  'x'.repeat(128),
])('takes the name %s', (name) => {
  expect(findNameProblems(name)).toEqual([])
})

test.each([
  ['', '"" cannot be a name'],
  ['get weather', '"get weather" cannot be a name'],
  ['wetter_für', '"wetter_für" cannot be a name'],
  ['a/b', '"a/b" cannot be a name'],
  ['a\nb', '"a\\nb" cannot be a name'],
  ['x'.repeat(129), `"${'x'.repeat(40)}..." cannot be a name`],
  [7, '`name` is number'],
])('refuses the name %j', (name, start) => {
  const [problem, ...others] = findNameProblems(name)
  expect(problem).toContain(start)
  expect(others).toEqual([])
})
