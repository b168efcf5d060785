import { expect, test } from 'vitest'
import { connect } from './connect.ts'

test('a basket goes from creation to checkout', async () => {
  const { callTool } = await connectShop({ pay: true })
  const { basket } = await callTool('create_basket', {})
  expect(await callTool('add_item', { basket, sku: 'KN-101', quantity: 2 })).toEqual({
    items: 1,
    totalCents: 17_800,
  })
  expect(await callTool('checkout', { basket })).toMatchObject({ totalCents: 17_800 })
})

test('nothing is paid if the user declines', async () => {
  const { callTool, asked } = await connectShop({ pay: false })
  const { basket } = await callTool('create_basket', {})
  await callTool('add_item', { basket, sku: 'PN-201' })
  await expect(callTool('checkout', { basket })).rejects.toThrow('Nothing was charged.')
  expect(asked).toEqual(['Pay €62.00?'])
  expect(await callTool('add_item', { basket, sku: 'PN-201' })).toMatchObject({
    totalCents: 12_400,
  })
})

test('a product that does not exist is refused, with what to do', async () => {
  const { callTool } = await connectShop({ pay: true })
  const { basket } = await callTool('create_basket', {})
  const added = callTool('add_item', { basket, sku: 'XX-000' })
  await expect(added).rejects.toThrow('Find its SKU with search_catalog.')
})

/** Connects a client whose user gives this answer to each question. */
async function connectShop(answer: Record<string, boolean>) {
  const client = await connect()
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: answer }
  })
  return {
    asked,
    callTool: async (name: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: input })
      if (result.isError) throw new Error(JSON.stringify(result.content))
      return Object(result.structuredContent)
    },
  }
}
