import { expect, test } from 'vitest'
import { findToolFiles, isToolFile, toToolName } from '../../../src/build/project.ts'
import { createTemporaryProject } from './temporary-project.ts'

test.each([
  ['refund.ts', true],
  ['billing/refund.ts', true],
  ['refund.d.ts', false],
  ['refund.test.ts', false],
  ['refund.spec.ts', false],
  ['refund.js', false],
  ['README.md', false],
  ['_money.ts', false],
  ['_shared/money.ts', false],
  ['.trash/refund.ts', false],
  ['ts', false],
])('%s may hold a tool: %s', (path, expected) => {
  expect(isToolFile(path)).toBe(expected)
})

test.each([
  ['refund.ts', 'refund'],
  ['billing/refund.ts', 'billing_refund'],
  ['a/b/c.v2.ts', 'a_b_c.v2'],
])('%s is named %s', (path, name) => {
  expect(toToolName(path)).toBe(name)
})

test('finds files in every folder, in code-unit order', async () => {
  const project = await createTemporaryProject({
    'tools/b.ts': '',
    'tools/a/z.ts': '',
    'tools/B.ts': '',
    'tools/_own/c.ts': '',
  })
  expect(await findToolFiles(project.tools)).toEqual(['B.ts', 'a/z.ts', 'b.ts'])
})

test('finds nothing in a folder that is not there', async () => {
  const project = await createTemporaryProject({})
  expect(await findToolFiles(project.tools)).toEqual([])
})
