import { connect, expectNoSideEffects, ToolError } from 'helve/testing'
import { afterEach, describe, expect, test } from 'vitest'
import worker from '../../../src/worker.ts'
import checkout from '../../../tools/checkout.ts'

const shop = connect(worker, { caller: 'ada' })
afterEach(() => shop.close())

async function fill(...products: readonly (readonly [sku: string, quantity: number])[]) {
  const { basket } = (await shop.tools.create_basket({ currency: 'EUR' })).value
  for (const [sku, quantity] of products) {
    // oxlint-disable-next-line no-await-in-loop -- the order is that of the basket
    await shop.tools.add_item({ basket, sku, quantity })
  }
  return { basket }
}

describe('checkout', () => {
  test('pays once the user has confirmed, and ends the basket', async () => {
    const ids = await fill(['KN-101', 1])
    const { value } = await shop.tools.checkout(ids, { answers: { confirm: { pay: true } } })
    expect(value).toMatchObject({ total: 89, currency: 'EUR' })
    await expect(shop.tools.view_basket(ids)).rejects.toThrow('create_basket')
  })

  test('charges nothing if the user does not want to pay', async () => {
    const ids = await fill(['KN-101', 1])
    const paying = shop.tools.checkout(ids, { answers: { confirm: { pay: false } } })
    await expect(paying).rejects.toThrow(
      new ToolError('Nothing was charged: the user did not want to pay. The basket is there.'),
    )
    expect((await shop.tools.view_basket(ids)).value.items).toHaveLength(1)
  })

  test('asks what a large order is for', async () => {
    const answers = { confirm: { pay: true }, reason: { reason: 'a wedding' } }
    const { value, asked } = await shop.tools.checkout(await fill(['KN-101', 6]), { answers })
    expect(asked.map(({ key }) => key)).toEqual(['confirm', 'reason'])
    expect(value.reason).toBe('a wedding')
  })

  test('asks before it changes anything', async () => {
    const { basket } = (await connect(worker).tools.create_basket({ currency: 'EUR' })).value
    await connect(worker).tools.add_item({ basket, sku: 'KN-101' })
    expect(await expectNoSideEffects(checkout, { input: { basket } })).toHaveLength(1)
  })
})

test('a basket is its caller’s alone, and expires', async () => {
  const ids = await fill()
  await expect(connect(worker, { caller: 'bob' }).tools.view_basket(ids)).rejects.toThrow(ToolError)
  await shop.advance('27h')
  await expect(shop.tools.view_basket(ids)).rejects.toThrow('create_basket')
})
