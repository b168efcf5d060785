import { expect, test } from 'vitest'
import { defineTool } from 'helve'
import { toHandleId, toNewObjectId } from '../../../src/state/handle-id.ts'
import { createServer } from '../../spec/server.ts'
import { basket, box } from './handles-fixture.ts'
import { age, createClient, createStranger, hour, stubOf } from './handles-client.ts'

const total = defineTool({
  description: 'Adds up a basket.',
  uses: { basket },
  run: async ({ use }) => String(await use.basket.total()),
})

const both = defineTool({
  description: 'Adds up two baskets.',
  uses: { one: basket, other: basket },
  run: async ({ use }) => String((await use.one.total()) + (await use.other.total())),
})

const create = defineTool({
  description: 'Creates a basket.',
  run: async ({ create }) => (await create(basket, 'EUR')).id,
})

const { ask } = createServer({}, { total, both, create_basket: create, basket })

const gone =
  'There is no such basket: it has expired or was ended, or the id is not one of yours. ' +
  'Create a new one with create_basket and use the id that it returns.'

test('a client gets one sentence for ids that open nothing, whatever the reason', async () => {
  const { handles, context } = createClient(null)
  const expired = await handles.create(basket, 'EUR')
  await age(stubOf(expired.id), 48 * hour)
  const ended = await handles.create(basket, 'EUR')
  await ended.end()
  const ofOther = (await handles.create(box, 0)).id
  const ids = {
    malformed: 'bsk_nope',
    'of the wrong type': 7,
    forged: `bsk_${'A'.repeat(43)}`,
    unknown: toHandleId('bsk', toNewObjectId(basket, context.namespace()).toString()),
    expired: expired.id,
    ended: ended.id,
    'of another kind': ofOther,
    'of another kind, in disguise': ofOther.replace('box_', 'bsk_'),
    'of another caller': (await createStranger().handles.create(basket, 'EUR')).id,
  }
  const answers = await Promise.all(
    Object.entries(ids).map(async ([what, id]) => [what, await answerOf('total', { basket: id })]),
  )
  const refused = { content: [{ type: 'text', text: gone }], isError: true }
  expect(Object.fromEntries(answers)).toEqual(
    Object.fromEntries(Object.keys(ids).map((what) => [what, refused])),
  )
  const twice = await answerOf('both', { one: 'bsk_nope', other: ofOther })
  expect(twice).toEqual(refused)
})

test('a valid id is accepted', async () => {
  const { id } = await createClient(null).handles.create(basket, 'EUR')
  expect(await answerOf('total', { basket: id })).toEqual({
    content: [{ type: 'text', text: '0' }],
  })
})

/** The content of a call's result and whether it is an error. */
async function answerOf(name: string, args: object): Promise<unknown> {
  const { body } = await ask('tools/call', { name, arguments: args })
  const { resultType: _, _meta: __, ...said } = body.result
  return said
}
