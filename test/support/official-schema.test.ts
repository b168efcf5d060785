import { expect, test } from 'vitest'
import { findMessageProblems, takeMessageProblems, toWatchedFetch } from './official-schema.ts'

const cacheable = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const toResult = (result: object): object => ({ jsonrpc: '2.0', id: 1, result })
const toList = (row: object): object =>
  toResult({ ...cacheable, resources: [{ uri: 'shop://a', name: 'a', ...row }] })
const toContent = (block: object): object => toResult({ resultType: 'complete', content: [block] })
const png = { type: 'image', data: 'AQID', mimeType: 'image/png' }
const toError = (error: object): object => ({ jsonrpc: '2.0', id: 1, error })

test.each([
  ['resources/list', toList({ description: 'An a.', size: 1, annotations: { priority: 1 } })],
  ['tools/call', toContent(png)],
  ['tools/call', toResult({ resultType: 'input_required', requestState: 'a' })],
  ['tools/call', toError({ code: -32603, message: 'Wrong.' })],
  ['tools/call', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }],
])('%s may be answered with %j', (method, message) => {
  expect(findMessageProblems(message, method)).toEqual([])
})

test.each([
  ['resources/list', toResult({ resources: [], resultType: 'complete' })],
  ['resources/list', toList({ description: null })],
  ['resources/list', toList({ uri: 'no uri' })],
  ['resources/list', toList({ size: 1.5 })],
  ['resources/list', toList({ icons: [{ src: 'https://a.example/i.png', sizes: '48x48' }] })],
  ['resources/list', toList({ icons: [{}] })],
  ['resources/list', toList({ annotations: { priority: 5 } })],
  ['resources/list', toList({ annotations: { audience: ['model'] } })],
  ['tools/call', toContent({ ...png, data: 'https://a.example/i.png' })],
  ['tools/call', toContent({ ...png, data: '-_8' })],
  ['tools/call', toContent({ type: 'video' })],
  ['tools/call', toResult({ content: [] })],
  ['tools/call', toResult({ resultType: 'input_required', requestState: 1 })],
  ['tools/call', toError({ code: '1', message: 'Wrong.' })],
  ['tools/call', toError({ code: -32021, message: 'Wrong.' })],
  ['tools/call', { jsonrpc: '2.0', method: 'notifications/unknown' }],
  ['tools/call', { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }],
  ['tools/call', { id: 1, result: {} }],
  ['tools/call', []],
])('%s may not be answered with %j', (method, message) => {
  expect(findMessageProblems(message, method)).not.toEqual([])
})

test.each(['application/json', 'text/event-stream'])(
  'a watched fetch finds what is wrong with a reply of %s, and passes it on',
  async (type) => {
    const body = JSON.stringify(toList({ description: null }))
    const text = type === 'application/json' ? body : `: hi\n\ndata: ${body}\n\n`
    const answer = async (): Promise<Response> =>
      new Response(text, { headers: { 'Content-Type': type } })
    const fetch = toWatchedFetch(answer)
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const request = { method: 'resources/list', params: { _meta: meta } }
    const url = 'https://a.example/mcp'
    const reply = await fetch(new Request(url, { method: 'POST', body: JSON.stringify(request) }))
    expect(await reply.text()).toBe(text)
    expect(takeMessageProblems().join()).toContain('description')
    expect(takeMessageProblems()).toEqual([])
    await fetch(url)
    expect(takeMessageProblems()).toEqual([])
  },
)
