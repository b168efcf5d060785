import { expect, test, vi } from 'vitest'
import { logIncident, toDetail } from '../../../src/out/log.ts'

test('an error is logged with what caused it, its secrets masked, under the id that is given', () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const error = new Error('outer', { cause: new Error('refused hunter2') })
  const errorId = logIncident('tools/call pay', error, (text) => text.replaceAll('hunter2', '***'))
  const [line] = write.mock.lastCall ?? []
  write.mockRestore()

  const logged = JSON.parse(String(line))
  expect(logged).toMatchObject({ level: 'error', errorId, what: 'tools/call pay' })
  expect(logged.detail).toMatch(/^Error: outer[^]*Caused by: Error: refused \*\*\*/)
})

test('causes that go round in a circle come to an end', () => {
  const error = new Error('round')
  error.cause = error
  expect(toDetail(error).match(/Caused by/g)).toHaveLength(3)
})

test('what is thrown and no error is printed all the same', () => {
  expect(toDetail('plain')).toBe('plain')
  expect(toDetail(new Error('outer', { cause: 'plain' }))).toMatch(/Caused by: plain$/)
})
