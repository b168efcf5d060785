import { afterEach, describe, expect, test, vi } from 'vitest'
import { isRetry } from '../../../src/mcp/call.ts'
import { Announcer } from '../../../src/state/hub.ts'
import { createCall, createSettings } from './test-call.ts'

afterEach(() => vi.restoreAllMocks())

const notification = { method: 'notifications/message', params: {} }

describe('emit', () => {
  test.each([
    ['opens a stream for a client that takes one', true, false, 1],
    ['does nothing where the client takes none', false, false, 0],
    ['does nothing once the reply has gone out', true, true, 0],
  ])('%s', (_what, streams, isAnswered, opened) => {
    const call = createCall(createSettings(), 'tools/call', {}, { streams })
    call.isAnswered = isAnswered
    const open = vi.spyOn(call.channel, 'open')
    call.emit(notification)
    expect(open).toHaveBeenCalledTimes(opened)
  })
})

describe('signal', () => {
  test('aborts when the client disconnects', () => {
    const client = new AbortController()
    const call = createCall(createSettings(), 'tools/call', {}, { signal: client.signal })
    expect(call.signal.aborted).toBe(false)
    client.abort()
    expect(call.signal.aborted).toBe(true)
  })

  test('is aborted for a client that disconnected before it was read', () => {
    const client = new AbortController()
    const call = createCall(createSettings(), 'tools/call', {}, { signal: client.signal })
    client.abort()
    expect(call.signal.aborted).toBe(true)
  })
})

describe('what limits count', () => {
  const headers = { 'CF-Connecting-IP': '192.0.2.7' }

  test('is the caller, wherever the caller calls from', () => {
    const call = createCall(createSettings(), 'tools/call', {}, { headers, callerDigest: 'ann' })
    expect(call.countedAs).toBe('ann')
  })

  test('is the address of an anonymous caller', () => {
    const call = createCall(createSettings(), 'tools/call', {}, { headers })
    expect(call.countedAs).toContain('192.0.2.7')
  })
})

test('the functions registered with onEnd all run once', async () => {
  const call = createCall()
  const given: string[] = []
  expect(call.end()).toBeNull()
  for (const name of ['one', 'two']) call.onEnd(async () => void given.push(name))
  await call.end()
  expect(given).toEqual(['one', 'two'])
  expect(call.end()).toBeNull()
})

test('an anonymous copy of a call has its request and none of its caller', () => {
  const caller = { subject: 'ann', scopes: ['read'], claims: {} }
  const call = createCall(createSettings(), 'tools/list', {}, { caller, callerDigest: 'ann' })
  const copy = call.toAnonymous('prompts/list', { cursor: 'a' })
  expect(copy).toMatchObject({ method: 'prompts/list', params: { cursor: 'a' }, caller: null })
  expect(copy.callerDigest).toBeNull()
  expect(copy.request).toBe(call.request)
})

test('a deploy is announced by the first call of an isolate only', () => {
  const announcer = new Announcer('test')
  const announce = vi.spyOn(announcer, 'announce')
  const kept: Promise<unknown>[] = []
  const changes = { waitUntil: (work: Promise<unknown>) => void kept.push(work), exports: {} }
  const call = createCall(createSettings({}, { announcer }), 'tools/call', {}, changes)
  call.announceDeploy()
  call.announceDeploy()
  expect(announce).toHaveBeenCalledOnce()
  expect(kept).toHaveLength(1)
})

test.each([
  [{}, false],
  [{ name: 'pay' }, false],
  [{ requestState: 'sealed' }, true],
  [{ inputResponses: {} }, true],
])('params %j are those of a retry: %s', (params, expected) => {
  expect(isRetry(params)).toBe(expected)
})
