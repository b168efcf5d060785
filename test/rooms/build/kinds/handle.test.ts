import * as z from 'zod'
import { expect, test } from 'vitest'
import { describeHandle } from '../../../../src/build/kinds/handle.ts'
import { defineHandle } from '../../../../src/define/handle.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const common = {
  name: 'basket',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
} as const
const made = defineHandle({ ...common, prefix: 'bsk' })

function describeDefinition(members: JsonObject) {
  const definition = { ...made.definition, ...members }
  return describeHandle(
    { name: 'tools.basket', exported: { ...made, definition } },
    { limits: [], handles: new Set(), tools: ['new_basket'], creators: [], printOther: () => null },
  )
}

test('a handle is an entry under its own name, whatever its file is called', () => {
  const members = { createdBy: 'new_basket', jurisdiction: 'eu', onExpire: () => {} }
  expect(describeDefinition(members)).toMatchObject({
    section: 'handles',
    key: 'basket',
    uniqueKeys: [{ key: 'name basket' }, { key: 'prefix bsk' }],
    members: { name: 'basket' },
  })
})

test('a kind with one handle for each caller has no prefix to be unique', () => {
  const own = defineHandle({ ...common, scope: 'caller' })
  const described = describeHandle(
    { name: 'basket', exported: { ...own } },
    { limits: [], handles: new Set(), tools: [], creators: [], printOther: () => null },
  )
  expect(described).toMatchObject({ uniqueKeys: [{ key: 'name basket' }] })
})

test.each([
  [
    { createdBy: 'create_cart' },
    '`createdBy` is "create_cart", but there is no tool with that name.',
  ],
  [{ state: undefined }, '`state` is missing.'],
  [{ start: {} }, '`start` must be a function.'],
  [{ verbs: { add: 'add' } }, '`verbs.add` must be a function.'],
  [{ scope: 'session' }, '`scope` must be "caller", or be left out.'],
  [{ methods: {} }, '`methods` is called `verbs` here.'],
  [{ ttl: '24h' }, '`ttl` is called `idle` here'],
  [{ items: [] }, '`items` is not a handle option. Options: name, prefix,'],
])('refuses %j', (members, start) => {
  const described = describeDefinition(members)
  const [problem, ...others] = 'problems' in described ? described.problems : []
  expect(problem).toContain(start)
  expect(others).toEqual([])
})
