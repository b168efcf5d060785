import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EventStream, ReplyChannel, toSseEvent } from '../../../src/out/stream.ts'
import type { ServerNotification } from '../../../src/protocol/message.ts'

const comment = ':\n\n'
const print = ({ method }: ServerNotification): string => `{"method":"${method}"}`
const event = (method: string): string => `data: {"method":"${method}"}\n\n`

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openStream() {
  const gone = new AbortController()
  return { gone, stream: new EventStream(gone, print) }
}

/** Reads what waits in a stream that has ended. */
function readAll({ body }: EventStream): Promise<string> {
  return new Response(body).text()
}

test('a message is one event of one line', () => {
  expect(toSseEvent('{"a":1}')).toBe('data: {"a":1}\n\n')
})

describe('a stream', () => {
  test('begins with a comment, sends in order, and ends with its response', async () => {
    const { stream } = openStream()
    stream.send({ method: 'a' })
    stream.send({ method: 'b' })
    stream.end('{"id":1}')
    expect(await readAll(stream)).toBe(`${comment}${event('a')}${event('b')}data: {"id":1}\n\n`)
  })

  test.each([
    ['a call: one each second', undefined, 10_000, 11],
    ['a call, after a minute: one every 15 seconds', undefined, 120_000, 65],
    ['a subscription: one every 15 seconds', 0, 31_000, 3],
  ])('has comments until it ends, of %s', async (_, watched, ms, comments) => {
    const stream = new EventStream(new AbortController(), print, watched)
    await vi.advanceTimersByTimeAsync(ms)
    stream.end('{}')
    expect(vi.getTimerCount()).toBe(0)
    expect(await readAll(stream)).toBe(`${comment.repeat(comments)}data: {}\n\n`)
  })

  test('ignores everything after its end', async () => {
    const { stream } = openStream()
    stream.end('{}')
    stream.send({ method: 'late' })
    stream.end('{"again":1}')
    expect(await readAll(stream)).toBe(`${comment}data: {}\n\n`)
  })

  test('that its reader cancels aborts the work, with the reason, and leaves no timer', async () => {
    const { gone, stream } = openStream()
    await stream.body.cancel()
    expect(gone.signal.aborted).toBe(true)
    expect(stream.signal).toBe(gone.signal)
    expect(gone.signal.reason).toEqual(new Error('The client closed its connection.'))
    expect(vi.getTimerCount()).toBe(0)
    stream.send({ method: 'late' })
    stream.end('{}')
  })

  test('counts the bytes that wait for its reader', async () => {
    const { stream } = openStream()
    expect(stream.backlog()).toBe(comment.length)
    stream.send({ method: 'é' })
    expect(stream.backlog()).toBe(comment.length + event('é').length + 1)
    stream.end('{}')
    await readAll(stream)
    expect(stream.backlog()).toBe(0)
  })

  test('drops notifications past 1 MiB of backlog, and never the response', async () => {
    const { stream } = openStream()
    const long = 'x'.repeat(1_048_576)
    stream.send({ method: long })
    expect(stream.backlog()).toBeGreaterThan(1_048_576)
    stream.send({ method: 'dropped' })
    stream.end('{"id":1}')
    expect(await readAll(stream)).toBe(`${comment}${event(long)}data: {"id":1}\n\n`)
  })
})

describe('a reply channel', () => {
  const slow = (ms: number, value = 'done'): Promise<string> =>
    new Promise((resolve) => {
      setTimeout(() => resolve(value), ms)
    })

  test('does nothing while work ends quickly: no stream, no timer', async () => {
    const channel = new ReplyChannel(null, print)
    expect(await channel.race(Promise.resolve('done'))).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('becomes a stream after a second of silence', async () => {
    const channel = new ReplyChannel(null, print)
    const racing = channel.race(slow(5_000))
    await vi.advanceTimersByTimeAsync(999)
    const settled = vi.fn<(value: unknown) => void>()
    void racing.then(settled)
    await vi.advanceTimersByTimeAsync(0)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toHaveBeenCalledExactlyOnceWith(expect.any(EventStream))
    expect(await racing).toBe(channel.open())
  })

  test('stays one message when work ends within a second', async () => {
    const channel = new ReplyChannel(null, print)
    const racing = channel.race(slow(999))
    await vi.advanceTimersByTimeAsync(999)
    expect(await racing).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('becomes a stream at the first notification, at once', async () => {
    const channel = new ReplyChannel(null, print)
    const racing = channel.race(slow(1_000))
    await vi.advanceTimersByTimeAsync(10)
    channel.open().send({ method: 'progress' })
    const stream = await racing
    if (!(stream instanceof EventStream)) throw new TypeError('Not a stream.')
    stream.end('{}')
    expect(await readAll(stream)).toBe(`${comment}${event('progress')}data: {}\n\n`)
  })

  test('is the stream that quick work opened, even though the work is over', async () => {
    const channel = new ReplyChannel(null, print)
    const opened = channel.open()
    expect(await channel.race(Promise.resolve('done'))).toBe(opened)
    opened.end('{}')
  })

  test('opens once', () => {
    const channel = new ReplyChannel(null, print)
    const opened = channel.open()
    expect(channel.open()).toBe(opened)
    opened.end('{}')
  })

  test('throws what work throws, quickly or not', async () => {
    const channel = new ReplyChannel(null, print)
    await expect(channel.race(Promise.reject(new Error('at once')))).rejects.toThrow('at once')
    const racing = channel.race(slow(100).then(() => Promise.reject(new Error('later'))))
    const [settled] = await Promise.allSettled([racing, vi.advanceTimersByTimeAsync(100)])
    expect(settled).toMatchObject({ status: 'rejected', reason: new Error('later') })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('aborts with its client, whether the signal was read before or the stream opened', () => {
    const client = new AbortController()
    const channel = new ReplyChannel(client, print)
    const { signal } = channel
    const stream = channel.open()
    expect(stream.signal).toBe(signal)
    const reason = new Error('gone')
    client.abort(reason)
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toBe(reason)
    stream.end('{}')
  })

  test('without a client it never aborts by itself', () => {
    expect(new ReplyChannel(null, print).signal.aborted).toBe(false)
  })
})
