import { expect, test } from 'vitest'
import { toModuleTimes } from '../../../src/cli/check/startup-check.ts'

// three lines of a bundle: the first two of a.ts, the third of a package
const sourceMap = JSON.stringify({
  version: 3,
  sources: ['../src/a.ts', '../node_modules/@scope/pack/index.js'],
  names: [],
  mappings: 'AAAA;AACA;ACDA',
})

const frame = (functionName: string, lineNumber: number, url = 'worker.js') => ({
  callFrame: { functionName, url, lineNumber, columnNumber: 0 },
})

const nodes = [
  { id: 1, ...frame('(root)', -1, ''), children: [2, 3, 4, 7] },
  { id: 2, ...frame('(idle)', -1, '') },
  { id: 3, ...frame('(garbage collector)', -1, '') },
  // the top level of the bundle, whose samples lie in two modules
  {
    id: 4,
    ...frame('', -1),
    children: [5],
    positionTicks: [
      { line: 1, ticks: 1 },
      { line: 3, ticks: 3 },
    ],
  },
  { id: 5, ...frame('work', 1), children: [6] },
  // a function of JavaScript, which takes the time of its caller
  { id: 6, ...frame('stringify', -1, '') },
  { id: 7, ...frame('other', 2) },
]

test('the time of each sample belongs to the module whose code it is in', () => {
  const samples = [2, 3, 4, 5, 6, 7]
  // in microseconds, and each sample lasts until the next
  const timeDeltas = [0, 1000, 2000, 4000, 8000, 16_000]
  const times = toModuleTimes({ nodes, samples, timeDeltas }, sourceMap, (source) =>
    source.replace('../', ''),
  )
  expect(times).toEqual([
    // two functions, and a quarter of the top level
    { module: 'src/a.ts', ms: 25 },
    { module: '@scope/pack', ms: 3 },
    { module: 'the runtime', ms: 2 },
  ])
})

test('a profile that cannot be read has no times', () => {
  expect(toModuleTimes(null, '', String)).toEqual([])
  expect(toModuleTimes({ nodes: [], samples: [9], timeDeltas: [1, 2] }, '', String)).toEqual([])
})
