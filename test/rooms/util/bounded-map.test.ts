import { expect, test, vi } from 'vitest'
import { BoundedMap } from '../../../src/util/bounded-map.ts'

test('makes a value once for each key', () => {
  const map = new BoundedMap<string, object>(2)
  const make = vi.fn<() => object>(() => ({}))
  expect(map.getOrMake('a', make)).toBe(map.getOrMake('a', make))
  expect(make).toHaveBeenCalledOnce()
})

test('forgets the oldest entry when it holds too many', () => {
  const map = new BoundedMap<string, string>(2)
  for (const key of ['a', 'b', 'c']) map.getOrMake(key, () => key)
  expect(map.getOrMake('b', () => 'made again')).toBe('b')
  expect(map.getOrMake('a', () => 'made again')).toBe('made again')
})

test('a value that is set again is the new one, and takes no more room', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, 2, undefined])
})

test('what is set pushes out the oldest', () => {
  const map = new BoundedMap<string, number>(2)
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 1, 2])
})
