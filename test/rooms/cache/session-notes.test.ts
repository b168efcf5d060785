import { expect, test } from 'vitest'
import { readSessionNote, writeSessionNote } from '../../../src/cache/session-notes.ts'

const until = Date.now() + 60_000
const log = { level: 'info', at: 1 }

test('a note is read as it was written, and there is none for another session', async () => {
  const nonce = crypto.randomUUID()
  await writeSessionNote(nonce, { log }, until)
  expect(await readSessionNote(nonce)).toEqual({ isEnded: false, log })
  expect(await readSessionNote(crypto.randomUUID())).toBeNull()
})

test('the end of a session stays noted when another isolate sets a level after it', async () => {
  const nonce = crypto.randomUUID()
  await writeSessionNote(nonce, { isEnded: true }, until)
  await writeSessionNote(nonce, { log }, until)
  expect(await readSessionNote(nonce)).toMatchObject({ isEnded: true })
})
