import { expect, test } from 'vitest'
import { ping, send, toEcho, toPost } from './served.ts'

const mib = 1024 * 1024
const fill = (unit: string): string => unit.repeat(Math.floor((mib - 100) / unit.length))
const keys = Array.from({ length: 80_000 }, (_, at) => `"k${at}":0`).join()

// what takes one pass takes milliseconds, what takes a pass for every character takes minutes
const generous = 3_000

test.each([
  ['10,000 levels of arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, -32600],
  ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}`, -32600],
  ['1 MiB of opening brackets', fill('['), -32600],
  ['1 MiB of closing brackets', fill(']'), -32700],
  ['1 MiB of quotes', fill('"'), -32700],
  ['1 MiB of backslashes in a string', `"${fill('\\')}`, -32700],
  ['1 MiB of escaped quotes', `"${fill('\\"')}`, -32700],
  ['1 MiB of backslashes in a sound string', `"${fill('\\\\')}"`, -32600],
  ['1 MiB of the same key', `{${fill('"a":0,')}"a":0}`, -32600],
  ['1 MiB of keys', `{${keys}}`, -32600],
  ['1 MiB of keys, the last one twice', `{${keys},"k0":1}`, -32600],
  ['1 MiB of keys with an escape among them', `{${keys},"\\u0061":1}`, -32600],
  ['1 MiB of small objects', `[${fill('{"a":0},')}0]`, -32600],
  ['1 MiB of escaped halves of pairs', `"${fill('\\ud800')}"`, -32600],
  ['1 MiB of commas', fill(','), -32700],
])(
  '%s are answered in time, and the next request is served',
  { timeout: generous },
  async (...row) => {
    const [, body, code] = row
    const response = await send(toPost(body))
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ error: { code } })
    expect((await send(toPost(ping))).status).toBe(200)
  },
)

test('one argument of nearly 1 MiB is served', async () => {
  const said = 'é"'.repeat(250_000) // 4 bytes each, since the quote is escaped
  const { body } = await send(toPost(toEcho(said)))
  expect(body.result.structuredContent.text === said).toBe(true)
})
