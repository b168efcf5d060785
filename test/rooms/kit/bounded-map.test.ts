import { expect, test, vi } from 'vitest'
import { BoundedMap } from '../../../src/kit/bounded-map.ts'

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
