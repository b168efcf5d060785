import { expect, test } from 'vitest'
import { type OfficialRevision, findMessageProblems, validate } from './official-schema.ts'
import { takeMessageProblems, toWatchedFetch } from './watched-fetch.ts'

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

const asked = { method: 'roots/list' }
const said = { level: 'info', data: 1 }
const toRow = (row: object): object => ({ jsonrpc: '2.0', id: 1, result: { resources: [row] } })
const named = { uri: 'shop://a', name: 'a' }

test.each<[OfficialRevision, string, object]>([
  ['2025-11-25', 'ping', { jsonrpc: '2.0', id: 1, result: {} }],
  ['2025-11-25', 'resources/list', toRow({ ...named, title: 'A', icons: [{ src: 'data:,' }] })],
  ['2025-06-18', 'resources/list', toRow({ ...named, title: 'A' })],
  ['2024-11-05', 'resources/list', toRow({ ...named, size: 1 })],
  ['2025-11-25', 'tools/call', { jsonrpc: '2.0', id: 1, ...asked }],
  ['2024-11-05', 'tools/call', { jsonrpc: '2.0', id: 1, ...asked }],
  ['2024-11-05', 'tools/call', { jsonrpc: '2.0', method: 'notifications/message', params: said }],
  ['2025-03-26', 'tools/call', toError({ code: 1, message: 'Wrong.', data: { any: 1 } })],
  ['2025-03-26', 'tools/call', { jsonrpc: '2.0', error: { code: 1, message: 'Unreadable.' } }],
  ['2025-06-18', 'tools/call', toResult({ content: [], structuredContent: { any: 1 } })],
])('a client of %s may be sent in %s: %j', (revision, method, message) => {
  expect(findMessageProblems(message, method, revision)).toEqual([])
})

test.each<[OfficialRevision, string, object]>([
  ['2025-11-25', 'ping', toResult({ resultType: 'complete' })],
  ['2025-11-25', 'resources/list', toResult({ resources: [], ttlMs: 0 })],
  ['2025-11-25', 'tools/call', toResult({ content: [], structuredContent: [] })],
  ['2025-06-18', 'resources/list', toRow({ ...named, icons: [{ src: 'data:,' }] })],
  ['2025-03-26', 'resources/list', toRow({ ...named, title: 'A' })],
  ['2025-03-26', 'tools/call', toResult({ content: [], structuredContent: {} })],
  ['2025-03-26', 'tools/call', { jsonrpc: '2.0', id: 1, method: 'elicitation/create' }],
  ['2025-03-26', 'tools/call', { jsonrpc: '2.0', method: 'notifications/message', params: {} }],
  ['2024-11-05', 'tools/call', toError({ code: '1', message: 'Wrong.' })],
  [
    '2024-11-05',
    'tools/call',
    toResult({ content: [{ type: 'audio', data: '', mimeType: 'a/b' }] }),
  ],
])('a client of %s may not be sent in %s: %j', (revision, method, message) => {
  expect(findMessageProblems(message, method, revision)).not.toEqual([])
})

test('a definition of a revision is found, and a wrong name is reported', () => {
  expect(validate('2025-06-18', 'Tool', { name: 'a', inputSchema: { type: 'object' } })).toEqual([])
  expect(validate('2025-06-18', 'Tool', { name: 'a' })).not.toEqual([])
  expect(() => validate('2024-11-05', 'ElicitRequest', {})).toThrow('has no ElicitRequest')
})

test('a watched fetch knows the revision of a session', async () => {
  const initialized = toResult({
    protocolVersion: '2024-11-05',
    capabilities: {},
    serverInfo: { name: 'a', version: '1' },
  })
  const bodies = [initialized, toRow({ ...named, title: 'A' }), toRow({ ...named, title: 'A' })]
  const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'one' }
  const fetch = toWatchedFetch(async () => Response.json(bodies.shift(), { headers }))
  const send = async (method: string, sent: Record<string, string>): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
    await fetch('https://a.example/mcp', { method: 'POST', body, headers: sent })
    return takeMessageProblems().join()
  }
  expect(await send('initialize', {})).toBe('')
  expect(await send('resources/list', { 'Mcp-Session-Id': 'one' })).toContain('2024-11-05')
  expect(await send('resources/list', { 'MCP-Protocol-Version': '2025-06-18' })).toBe('')
})
