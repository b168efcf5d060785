import { expect, test } from 'vitest'
import { toSurroundings } from '../../../src/build/kinds/evaluated.ts'
import { defineTool } from '../../../src/define/tool.ts'

test('a concealed tool is known to the build, and is never the one that others name', () => {
  const open = defineTool({ description: 'Creates.', run: () => '' })
  const hidden = defineTool({
    description: 'Creates.',
    scopes: ['admin'],
    conceal: true,
    name: 'box.create',
    run: () => '',
  })
  const modules = [
    { file: 'tools/create_basket.ts', name: 'create_basket', exports: { default: open } },
    { file: 'tools/create_box.ts', name: 'create_box', exports: { default: hidden } },
  ]
  expect(toSurroundings(modules, [], () => null)).toMatchObject({
    tools: ['create_basket', 'box.create'],
    creators: ['create_basket'],
  })
})
