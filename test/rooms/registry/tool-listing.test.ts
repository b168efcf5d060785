import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineTool } from '../../../src/define/tool.ts'
import { toToolListing } from '../../../src/registry/tool-listing.ts'

test('lists everything that a tool says, in one order', () => {
  const tool = defineTool({
    hints: { openWorld: false, readOnly: true },
    output: z.object({ greeting: z.string() }),
    input: { type: 'object', properties: { who: { type: 'string' } } },
    icons: [{ src: 'https://example.com/wave.svg' }],
    title: 'Hello',
    description: 'Says hello.',
    timeout: '5s',
    run: () => ({ greeting: 'hello' }),
  })
  expect(JSON.stringify(toToolListing('hello', tool))).toBe(
    '{"name":"hello","title":"Hello","description":"Says hello.",' +
      '"icons":[{"src":"https://example.com/wave.svg"}],' +
      '"inputSchema":{"type":"object","properties":{"who":{"type":"string"}}},' +
      '"outputSchema":{"type":"object","properties":{"greeting":{"type":"string"}},' +
      '"required":["greeting"],"additionalProperties":false},' +
      '"annotations":{"readOnlyHint":true,"openWorldHint":false}}',
  )
})

test('lists a tool without input as one that takes an empty object', () => {
  const tool = defineTool({ description: 'Says hello.', run: () => 'hello' })
  expect(toToolListing('hello', tool)).toEqual({
    name: 'hello',
    description: 'Says hello.',
    inputSchema: { type: 'object', additionalProperties: false },
  })
})
