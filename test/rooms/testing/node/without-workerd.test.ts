import * as helve from 'helve'
import { callTool } from 'helve/testing'
import { expect, test } from 'vitest'
import * as z from 'zod'
import * as inNode from '../../../../src/index.node.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const basket = helve.defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '1h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})

test('a tool with handles is refused, with what to do', async () => {
  const tool = helve.defineTool({
    description: 'Creates a basket.',
    run: async ({ create }) => (await create(basket)).id,
  })
  await expect(callTool(tool)).rejects.toThrow('Test it with connect() in vitest')
})

test('a Worker is refused, with what to do', () => {
  const create: () => unknown = Object(helve).createWorker
  expect(create).toThrow('Test a whole Worker with startServer()')
})

test('Node gets each name that workerd gets', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../src/index.ts'), 'utf8')
  const exported = [...text.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )
  expect(exported.length).toBeGreaterThan(15)
  expect(Object.keys(inNode).toSorted()).toEqual(exported.toSorted())
})
