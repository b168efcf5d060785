import { callTool, connect, ToolError } from 'helve/testing'
import { expect, test } from 'vitest'
import worker from '../src/worker.ts'
import countWords from '../tools/count_words.ts'

test('counts the words of a text', async () => {
  const { value } = await callTool(countWords, { input: { text: 'to be or not to be' } })
  expect(value).toEqual({ words: 6 })
})

test('a client gets the number, and may be told what is wrong', async () => {
  // the caller needs no credentials here: `connect` replaces `auth` of the Worker
  const client = connect(worker, { caller: 'ada' })
  expect((await client.tools.count_words({ text: 'one' })).text).toBe('{"words":1}')
  // @ts-expect-error: the compiler knows the arguments too
  await expect(client.tools.count_words({})).rejects.toThrow(ToolError)
})
