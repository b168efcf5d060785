import { describe, expect, test } from 'vitest'
import { findCacheProblems, findStaleProblems } from '../../../src/build/kinds/members.ts'

const readOnly = { readOnly: true }

describe('a tool', () => {
  test.each([
    [{}],
    [{ hints: {}, uses: {}, ask: () => ({}) }],
    [{ stale: undefined, shared: undefined }],
    [{ cache: undefined, uses: {} }],
    [{ cache: '5m', hints: readOnly }],
    [{ cache: '5m', hints: readOnly, stale: '1h', shared: true }],
    [{ cache: '5m', hints: readOnly, shared: false, uses: undefined, ask: undefined }],
  ])('may have %j', (members) => {
    expect(findCacheProblems(members)).toEqual([])
  })

  test.each([
    [
      { stale: '1h' },
      '`stale` says how results are kept, and none are. Set `cache`, or remove it.',
    ],
    [{ shared: true }, '`shared` says how results are kept, and none are.'],
    [{ shared: false }, '`shared` says how results are kept, and none are.'],
    [
      { cache: '5m' },
      '`cache` keeps results, so that a call may do nothing but return one. Say so',
    ],
    [{ cache: '5m', hints: {} }, '`hints: { readOnly: true }`, or remove `cache`.'],
    [{ cache: '5m', hints: { readOnly: false } }, '`cache` keeps results'],
    [{ cache: '5m', hints: { readOnly: 'true' } }, '`cache` keeps results'],
    [{ cache: '5m', hints: [] }, '`cache` keeps results'],
    [{ cache: '5m', hints: readOnly, uses: {} }, '`cache` does not go with `uses`: what a handle'],
    [
      { cache: '5m', hints: readOnly, ask: () => ({}) },
      '`cache` does not go with `ask`: an answer',
    ],
  ])('may not have %j', (members, sentence) => {
    const [problem, ...others] = findCacheProblems(members)
    expect(problem).toContain(sentence)
    expect(others).toEqual([])
  })

  test('is told everything at once', () => {
    expect(findCacheProblems({ stale: '1h', shared: true })).toHaveLength(2)
    expect(findCacheProblems({ cache: '5m', uses: {}, ask: () => ({}) })).toHaveLength(3)
  })
})

describe('a resource', () => {
  test.each([
    [{}],
    [{ cache: '5m' }],
    [{ cache: '5m', ask: () => ({}) }],
    [{ cache: '5m', stale: '1h' }],
    [{ stale: undefined }],
  ])('may have %j', (members) => {
    expect(findStaleProblems(members)).toEqual([])
  })

  test.each([
    [
      { stale: '1h' },
      '`stale` follows on a `cache` of a second or more, and there is none. Set it',
    ],
    [{ stale: '1h', ask: () => ({}) }, '`stale` follows on a `cache`'],
    [{ cache: '5m', stale: '1h', ask: () => ({}) }, '`stale` does not go with `ask`: a read with'],
  ])('may not have %j', (members, sentence) => {
    const [problem, ...others] = findStaleProblems(members)
    expect(problem).toContain(sentence)
    expect(others).toEqual([])
  })
})
