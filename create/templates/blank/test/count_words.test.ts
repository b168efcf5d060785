import { expect, test } from 'vitest'
import { connect } from './connect.ts'

test('counts the words of a text', async () => {
  const client = await connect()
  const { structuredContent } = await client.callTool({
    name: 'count_words',
    arguments: { text: 'to be or not to be' },
  })
  expect(structuredContent).toEqual({ words: 6 })
})

test('refuses a call without a text, and says what is missing', async () => {
  const client = await connect()
  const result = await client.callTool({ name: 'count_words', arguments: {} })
  expect(result).toMatchObject({ isError: true, content: [{ text: /text/ }] })
})
