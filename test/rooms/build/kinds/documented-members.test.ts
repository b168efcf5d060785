import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toHandleRules } from '../../../../src/build/kinds/handle.ts'
import { promptRules } from '../../../../src/build/kinds/prompt.ts'
import { resourceRules } from '../../../../src/build/kinds/resource.ts'
import { toToolRules } from '../../../../src/build/kinds/tool.ts'

test.each([
  [
    'tools.md',
    toToolRules({
      tools: [],
      creators: [],
      limits: [],
      handles: new Set(),
      printOther: () => null,
    }),
  ],
  ['resources.md', resourceRules],
  ['prompts.md', promptRules],
  ['state.md', toHandleRules([])],
])('%s explains every member that the build accepts', (page, { members }) => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs', page), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  const explained = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/[a-zA-Z]+/g) ?? []))
  expect(Object.keys(members).filter((member) => !explained.has(member))).toEqual([])
})
