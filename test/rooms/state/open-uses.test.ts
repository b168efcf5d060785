import { expect, test } from 'vitest'
import { optional } from '../../../src/define/handles.ts'
import { openReaders, openUses } from '../../../src/state/handles.ts'
import { basket, box, diary } from './handles-fixture.ts'
import { createStranger } from './handles-client.ts'

const uses = { basket, box: optional(box), diary: optional(diary) }

test('run gets the handles of `uses` with their verbs', async () => {
  const { handles, context } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  const use = openUses(context, uses, new Map([['basket', id]]))
  expect(use.basket.id).toBe(id)
  expect(await use.basket.add({ sku: 'apple', price: 2 })).toBe(1)
  expect(use.box).toBeUndefined()
  // found by the caller, so that it is always present
  expect(await use.diary?.count()).toBe(0)
})

test('an optional handle is present when its id is', async () => {
  const { handles, context } = createStranger()
  const { id } = await handles.create(box, 7)
  const use = openUses(context, { box: optional(box) }, new Map([['box', id]]))
  expect(await use.box?.bump()).toBe(8)
})

test('ask gets handles that can only be read', async () => {
  const { handles, context } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  const use = openReaders(context, uses, new Map([['basket', id]]))
  expect(await use.basket.read()).toEqual({ currency: 'EUR', items: [] })
  expect(Object.keys(use.basket)).toEqual(['id', 'read'])
  expect(Object.keys(use.diary ?? {})).toEqual(['read'])
})

test('opening the handles of `uses` calls no object', async () => {
  const { handles, context, hops } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  hops.length = 0
  openUses(context, uses, new Map([['basket', id]]))
  openReaders(context, uses, new Map([['basket', id]]))
  expect(hops).toEqual([])
})
