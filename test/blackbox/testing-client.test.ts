import { connect, ToolError } from 'helve/testing'
import { expect, inject, test } from 'vitest'
import type { Definitions } from '../../.helve/registry.ts'

test('a client of a test calls `wrangler dev` by its URL', async () => {
  const client = connect<Definitions>(inject('endpoint'), { answers: { confirm: { pay: true } } })
  const { basket } = (await client.tools.create_basket({ currency: 'EUR' })).value
  await client.tools.add_item({ basket, sku: 'KN-101' })
  const { value, asked } = await client.tools.checkout({ basket })
  expect(value.total).toBe(89)
  expect(asked).toMatchObject([{ key: 'confirm', kind: 'form' }])
  await expect(client.tools.view_basket({ basket })).rejects.toThrow(ToolError)
  expect((await client.read('shop://products/KN-101')).text).toContain('Chef’s knife')
  const changes = await client.watch({ toolsListChanged: true })
  expect(changes.filter).toEqual({ toolsListChanged: true })
  await expect(changes.next('toolsChanged', '100ms')).rejects.toThrow('within 100ms')
  changes.stop()
})
