import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type PurgeTimes, createPurgeTimes } from '../../../src/cache/purge.ts'

const now = Date.parse('2026-12-01T12:00:00Z')

let times: PurgeTimes
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  times = createPurgeTimes()
})
afterEach(() => void vi.useRealTimers())

test('nothing was purged at the start', () => {
  expect(times.last(['tools', 'tool:add']) >= now - 1_000).toBe(false)
  expect(times.last([]) >= now - 1_000).toBe(false)
})

describe.each([
  ['a tag', ['tool:add']],
  ['everything', 'everything'],
] as const)('after a purge of %s', (_, purged) => {
  test.each([
    ['before it', -1, true],
    // what was begun in the same millisecond may have read what it was purged for
    ['at that time', 0, true],
    ['after it', 1, false],
  ])('what was made %s counts as purged: %d ms', (_, passed, isPurged) => {
    times.add(purged)
    expect(times.last(['tools', 'tool:add']) >= now + passed).toBe(isPurged)
  })

  test('the last one counts', () => {
    times.add(purged)
    vi.setSystemTime(now + 5_000)
    times.add(purged)
    expect(times.last(['tool:add']) >= now + 4_000).toBe(true)
    expect(times.last(['tool:add']) >= now + 6_000).toBe(false)
  })
})

test.each([
  [['tool:add'], ['tool:add'], true],
  [['tool:add'], ['tools', 'tool:add'], true],
  [['tool:add', 'resources'], ['resources'], true],
  [['Tool:ADD'], ['tool:add'], true], // as the platform has it
  [['tool:add'], ['TOOL:Add'], true],
  [['tool:add'], ['tool:subtract', 'tools'], false],
  [['tool:add'], ['tool:add2'], false],
  [['tool:add'], [], false],
  [[], ['tool:add'], false],
])('a purge of %j reaches what has %j: %s', (purged, tags, isPurged) => {
  times.add(purged)
  expect(times.last(tags) >= now - 1).toBe(isPurged)
})

test('a purge of everything reaches what has no tag', () => {
  times.add('everything')
  expect(times.last([]) >= now - 1).toBe(true)
})

describe('a memory that is full', () => {
  const others = Array.from({ length: 999 }, (_, number) => `tool:${number}`)

  test('has a thousand tags', () => {
    times.add(['tool:add', ...others])
    expect(times.last(['tool:add']) >= now - 1).toBe(true)
    expect(times.last(['tool:998']) >= now - 1).toBe(true)
  })

  test('does not forget a tag that was purged again last of all', () => {
    times.add(['tool:add', ...others])
    vi.setSystemTime(now + 5_000)
    times.add(['tool:add'])
    times.add(['tool:new'])
    expect(times.last(['tool:add']) >= now + 4_000).toBe(true)
  })

  test('would rather make an answer again than send what was purged', () => {
    times.add(['tool:add', ...others, 'tool:new'])
    expect(times.last(['tool:add']) >= now - 1).toBe(true)
  })
})
