import { expect, test } from 'vitest'
import { toClientAddress } from '../../../src/util/address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:0:0:0:ffff', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
])('%s counts as %s', (address, counted) => {
  expect(toClientAddress(new Headers({ 'CF-Connecting-IP': address }))).toBe(counted)
})

test('clients without an address are one, whatever other headers say', () => {
  expect(toClientAddress(new Headers({ 'X-Forwarded-For': '192.0.2.7' }))).toBe('unknown')
})
