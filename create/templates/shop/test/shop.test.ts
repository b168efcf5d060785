import { connect, ToolError } from 'helve/testing'
import { afterAll, expect, test } from 'vitest'
import worker from '../src/worker.ts'

// the caller needs no credentials here: `connect` replaces `auth` of the Worker
const shop = connect(worker, { caller: 'ada' })
const { tools } = shop
afterAll(() => shop.close())

test('a basket goes from creation to checkout', async () => {
  const { basket } = (await tools.create_basket()).value
  const added = await tools.add_item({ basket, sku: 'KN-101', quantity: 2 })
  expect(added.value).toEqual({ items: 1, totalCents: 17_800 })
  const paid = await tools.checkout({ basket }, { answers: { confirm: { pay: true } } })
  expect(paid.asked).toMatchObject([{ message: 'Pay €178.00?' }])
  expect(paid.value.totalCents).toBe(17_800)
})

test('nothing is paid if the user does not want to', async () => {
  const { basket } = (await tools.create_basket()).value
  await tools.add_item({ basket, sku: 'PN-201' })
  const unpaid = tools.checkout({ basket }, { answers: { confirm: { pay: false } } })
  await expect(unpaid).rejects.toThrow('Nothing was charged.')
  // the basket is still there
  const { value } = await tools.add_item({ basket, sku: 'PN-201' })
  expect(value.totalCents).toBe(12_400)
})

test('a product that does not exist is refused, with what to do', async () => {
  const { basket } = (await tools.create_basket()).value
  const adding = tools.add_item({ basket, sku: 'XX-000' })
  await expect(adding).rejects.toThrow('Find its SKU with search_catalog.')
})

test('a basket ends after a day without use', async () => {
  const { basket } = (await tools.create_basket()).value
  await shop.advance('27h')
  await expect(tools.add_item({ basket, sku: 'KN-101' })).rejects.toThrow(ToolError)
})
