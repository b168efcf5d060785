import { expect, test } from 'vitest'
import { toThrownSentence, toUnfinishedSentence } from '../../../src/build/inspect.ts'

const io = 'Disallowed operation called within global scope. Asynchronous I/O (ex: fetch() ...'

test.each([
  [io, 'tools/a.ts:2:1', /^tools\/a\.ts:2:1: does I\/O .* Move it into `run`\.$/],
  [io, undefined, /^does I\/O /],
  ['Invalid URL', 'tools/a.ts:2:1', /^tools\/a\.ts:2:1: loading the module throws: Invalid URL$/],
])('says of %j at %s what to do', (message, position, sentence) => {
  expect(toThrownSentence(message, position)).toMatch(sentence)
})

test('tells a module that never ends from one that ends workerd', () => {
  const run = { stdout: '', stderr: 'out of memory\n' }
  expect(toUnfinishedSentence({ ...run, end: 'timed out' })).toContain('does not end')
  expect(toUnfinishedSentence({ ...run, end: 'failed' })).toMatch(/It says: out of memory$/)
})
