import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findFreePort, listen, startOnFreePort } from './free-port.ts'

async function occupy(port?: number): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  return listen(server, port)
}

test('a free port can be listened on', async () => {
  const port = await findFreePort()
  expect(await occupy(port)).toBe(port)
})

test.each([
  ['Node', (_: number, taken: number) => occupy(taken)],
  [
    'wrangler',
    () => Promise.reject(new Error('[ERROR] Address already in use (socket "direct:1:default").')),
  ],
])(
  'a server starts on another port when %s reports that its address is in use',
  async (_, fail) => {
    const taken = await occupy()
    const tried: number[] = []
    const port = await startOnFreePort((port) => {
      tried.push(port)
      return tried.length < 3 ? fail(port, taken) : Promise.resolve(port)
    })
    expect(tried).toHaveLength(3)
    expect(tried[2]).toBe(port)
  },
)

test('a start that always finds its address in use is tried five times', async () => {
  const start = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('listen EADDRINUSE')))
  await expect(startOnFreePort(start)).rejects.toThrow('EADDRINUSE')
  expect(start).toHaveBeenCalledTimes(5)
})

test('a start that fails for another reason is not tried again', async () => {
  const start = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('No such file')))
  await expect(startOnFreePort(start)).rejects.toThrow('No such file')
  expect(start).toHaveBeenCalledTimes(1)
})
