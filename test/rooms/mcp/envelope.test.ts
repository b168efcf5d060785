import { describe, expect, test } from 'vitest'
import { readEnvelope } from '../../../src/mcp/envelope.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

// basic/index, "_meta"; basic/transports/streamable-http, "Server Validation"
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const headers = {
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'hello',
}

interface Case {
  readonly method?: string
  readonly params?: JsonObject
  readonly without?: string
  readonly headers?: Record<string, string>
}

function read({ method = 'tools/call', params = { name: 'hello', _meta: meta }, ...rest }: Case) {
  const sent = new Headers(headers)
  if (rest.without !== undefined) sent.delete(rest.without)
  for (const [name, value] of Object.entries(rest.headers ?? {})) sent.set(name, value)
  const envelope = readEnvelope({ kind: 'request', id: 1, method, params }, sent)
  return envelope.ok ? 'sound' : envelope.failure.kind
}

function withMeta(changes: JsonObject): JsonObject {
  return { name: 'hello', _meta: { ...meta, ...changes } }
}

describe('is sound', () => {
  test.each<[string, Case]>([
    ['as clients send it', {}],
    [
      'without clientInfo',
      { params: withMeta({ 'io.modelcontextprotocol/clientInfo': undefined }) },
    ],
    [
      'with keys that nobody knows',
      { params: withMeta({ 'com.example/x': 1, traceparent: '00' }) },
    ],
    [
      'with header names in any case',
      { without: 'Mcp-Method', headers: { 'MCP-METHOD': 'tools/call' } },
    ],
    ['with spaces around a header value', { headers: { 'Mcp-Name': '  hello  ' } }],
    ['with an encoded name', { headers: { 'Mcp-Name': '=?base64?aGVsbG8=?=' } }],
    [
      'without Mcp-Name where the method has none',
      { method: 'tools/list', without: 'Mcp-Name', headers: { 'Mcp-Method': 'tools/list' } },
    ],
  ])('%s', (_, input) => {
    expect(read(input)).toBe('sound')
  })
})

describe('is malformed', () => {
  test.each<[string, Case]>([
    ['without _meta', { params: { name: 'hello' } }],
    ['with an array for _meta', { params: { name: 'hello', _meta: [] } }],
    [
      'without a version',
      { params: withMeta({ 'io.modelcontextprotocol/protocolVersion': undefined }) },
    ],
    [
      'with a number for a version',
      { params: withMeta({ 'io.modelcontextprotocol/protocolVersion': 2026 }) },
    ],
    [
      'without capabilities',
      { params: withMeta({ 'io.modelcontextprotocol/clientCapabilities': undefined }) },
    ],
    [
      'with null capabilities',
      { params: withMeta({ 'io.modelcontextprotocol/clientCapabilities': null }) },
    ],
    [
      'with an array for capabilities',
      { params: withMeta({ 'io.modelcontextprotocol/clientCapabilities': [] }) },
    ],
    ['without _meta even where the method is unknown', { method: 'no/such', params: {} }],
  ])('%s', (_, input) => {
    expect(read(input)).toBe('malformed-params')
  })
})

describe('does not match its headers', () => {
  test.each<[string, Case]>([
    ['without MCP-Protocol-Version', { without: 'MCP-Protocol-Version' }],
    ['with another version', { headers: { 'MCP-Protocol-Version': '2025-11-25' } }],
    [
      'with a version that only the body has wrong',
      { params: withMeta({ 'io.modelcontextprotocol/protocolVersion': 'v999' }) },
    ],
    ['without Mcp-Method', { without: 'Mcp-Method' }],
    ['with another method', { headers: { 'Mcp-Method': 'tools/list' } }],
    ['with the method in capitals', { headers: { 'Mcp-Method': 'TOOLS/CALL' } }],
    ['without Mcp-Name', { without: 'Mcp-Name' }],
    ['without Mcp-Name and without a name', { without: 'Mcp-Name', params: { _meta: meta } }],
    ['with a name that only the header has', { params: { _meta: meta } }],
    ['with another name', { headers: { 'Mcp-Name': 'other' } }],
    ['with the name in capitals', { headers: { 'Mcp-Name': 'HELLO' } }],
    ['with a name in bad Base64', { headers: { 'Mcp-Name': '=?base64?aGVsbG8?=' } }],
    [
      'with a name that is a number in the body',
      { headers: { 'Mcp-Name': '1' }, params: { name: 1, _meta: meta } },
    ],
  ])('%s', (_, input) => {
    expect(read(input)).toBe('header-mismatch')
  })
})

test('names a version that both agree on and nobody speaks', () => {
  const params = withMeta({ 'io.modelcontextprotocol/protocolVersion': '1900-01-01' })
  const sent = new Headers({ ...headers, 'MCP-Protocol-Version': '1900-01-01' })
  expect(readEnvelope({ kind: 'request', id: 1, method: 'tools/call', params }, sent)).toEqual({
    ok: false,
    failure: { kind: 'unsupported-version', requested: '1900-01-01', supported: ['2026-07-28'] },
  })
})

test('takes the name of a resource from its uri', () => {
  const params = { uri: 'shop://catalog', _meta: meta }
  expect(
    read({
      method: 'resources/read',
      params,
      headers: { 'Mcp-Method': 'resources/read', 'Mcp-Name': 'shop://catalog' },
    }),
  ).toBe('sound')
})
