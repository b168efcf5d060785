import { connect } from 'helve/testing'
import { afterEach, expect, test } from 'vitest'
import worker from '../../../src/worker.ts'

const shop = connect(worker)
afterEach(() => shop.close())

const statuses = (): readonly string[] => shop.cache().map(({ status }) => status)

test('the catalog is read once an hour, and the next reader does not wait', async () => {
  await shop.read('shop://catalog')
  await shop.read('shop://catalog')
  expect(statuses()).toEqual(['MISS', 'HIT'])
  await shop.advance('1h')
  await shop.read('shop://catalog')
  expect(statuses().at(-1)).toBe('UPDATING')
})
