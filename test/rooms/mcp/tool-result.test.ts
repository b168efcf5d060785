import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../../src/define/tool.ts'
import { serializeResult, toErrorResult } from '../../../src/mcp/tool-result.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

const size = (text: string): number => new TextEncoder().encode(text).byteLength
const settings = { name: 'search', sanitizer: createSanitizer(['hunter2-hunter2']) }
const tool = defineTool({ description: 'Searches.', output: z.string(), run: () => '' })

test('a result that fits to the byte is sent, and a longer one explains itself', async () => {
  const value = 'ü'.repeat(2_000)
  const whole = await serializeResult(tool, value, { ...settings, maxBytes: Infinity })
  const bytes = size(whole.members)
  expect(await serializeResult(tool, value, { ...settings, maxBytes: bytes })).toEqual(whole)
  const refused = await serializeResult(tool, value, { ...settings, maxBytes: bytes - 1 })
  const { isError, content } = JSON.parse(`{${refused.members}}`)
  expect(isError).toBe(true)
  expect(content[0].text).toContain(`The result of search has ${bytes} bytes`)
})

test('an error is sanitized before it is cut, so that no part of a secret is left', () => {
  for (let length = 3_380; length < 3_500; length += 1) {
    const why = `${'x'.repeat(length)} hunter2-hunter2 ${'y'.repeat(4_000)}`
    expect(toErrorResult(why, { ...settings, maxBytes: 4_000 }).members).not.toContain('hunter')
  }
})

test('a hole in a list of blocks is a fault, not a block that is null', () => {
  const free = defineTool({ description: 'Searches.', run: () => '' })
  const blocks: unknown[] = [{ type: 'text', text: 'a' }]
  blocks.length = 2
  expect(() => serializeResult(free, blocks, { ...settings, maxBytes: Infinity })).toThrow(
    '`content[1]` is missing',
  )
})
