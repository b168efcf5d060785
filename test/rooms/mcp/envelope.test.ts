import { describe, expect, test } from 'vitest'
import { readEnvelope } from '../../../src/mcp/envelope.ts'
import { findParamMismatch, readHeaderValue } from '../../../src/mcp/request-headers.ts'
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

const settings = { versions: ['2026-07-28'], legacy: true }

function read({ method = 'tools/call', params = { name: 'hello', _meta: meta }, ...rest }: Case) {
  const sent = new Headers(headers)
  if (rest.without !== undefined) sent.delete(rest.without)
  for (const [name, value] of Object.entries(rest.headers ?? {})) sent.set(name, value)
  const envelope = readEnvelope({ method, params, settings }, sent)
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
    ['with unknown keys', { params: withMeta({ 'com.example/x': 1, traceparent: '00' }) }],
    [
      'with header names in any case',
      { without: 'Mcp-Method', headers: { 'MCP-METHOD': 'tools/call' } },
    ],
    ['with spaces around a header value', { headers: { 'Mcp-Name': '  hello  ' } }],
    ['with the version twice', { headers: { 'MCP-Protocol-Version': '2026-07-28, 2026-07-28' } }],
    [
      'with the version three times',
      { headers: { 'MCP-Protocol-Version': '2026-07-28,2026-07-28\t,  2026-07-28' } },
    ],
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
    ...[
      ...['experimental', 'extensions', 'roots', 'elicitation', 'sampling'].map((name) => [name]),
      ['elicitation', 'form'],
      ['elicitation', 'url'],
      ['sampling', 'context'],
      ['sampling', 'tools'],
    ].flatMap(([name = '', member]) =>
      [null, true, 'yes', 1, []].map((wrong): [string, Case] => {
        const value = member === undefined ? wrong : { [member]: wrong }
        const clientCapabilities = { [name]: value }
        return [
          `with the capability ${JSON.stringify(clientCapabilities)}`,
          {
            params: withMeta({ 'io.modelcontextprotocol/clientCapabilities': clientCapabilities }),
          },
        ]
      }),
    ),
    ...[null, 'test 1', [], {}, { name: 'test' }, { name: 'test', version: 1 }].map(
      (clientInfo): [string, Case] => [
        `with the client ${JSON.stringify(clientInfo)}`,
        { params: withMeta({ 'io.modelcontextprotocol/clientInfo': clientInfo }) },
      ],
    ),
    ...[null, true, 1.5, {}].map((progressToken): [string, Case] => [
      `with the progress token ${JSON.stringify(progressToken)}`,
      { params: withMeta({ progressToken }) },
    ]),
    ...[null, 'loud', 3].map((level): [string, Case] => [
      `with the log level ${JSON.stringify(level)}`,
      { params: withMeta({ 'io.modelcontextprotocol/logLevel': level }) },
    ]),
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
    ['with two versions', { headers: { 'MCP-Protocol-Version': '2026-07-28, 2025-11-25' } }],
    [
      'with two versions, the other first',
      { headers: { 'MCP-Protocol-Version': '2025-11-25, 2026-07-28' } },
    ],
    ['with an empty second version', { headers: { 'MCP-Protocol-Version': '2026-07-28,' } }],
    // a gateway that compares them with a list would see another method or name than the server
    ['with the method twice', { headers: { 'Mcp-Method': 'tools/call, tools/call' } }],
    ['with the name twice', { headers: { 'Mcp-Name': 'hello, hello' } }],
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

test('checks what this revision declares only in a request of this revision', () => {
  const params = withMeta({
    'io.modelcontextprotocol/protocolVersion': '1900-01-01',
    'io.modelcontextprotocol/clientCapabilities': { sampling: true },
  })
  expect(read({ params, headers: { 'MCP-Protocol-Version': '1900-01-01' } })).toBe(
    'unsupported-version',
  )
})

test('names a version that header and body agree on but the server does not support', () => {
  const params = withMeta({ 'io.modelcontextprotocol/protocolVersion': '1900-01-01' })
  const sent = new Headers({ ...headers, 'MCP-Protocol-Version': '1900-01-01' })
  expect(readEnvelope({ method: 'tools/call', params, settings }, sent)).toEqual({
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

describe('the value of a header', () => {
  // basic/transports/streamable-http, "Value Encoding"
  test.each([
    ['us-west1', 'us-west1'],
    ['', ''],
    ['=?base64?SGVsbG8=?=', 'Hello'],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['=?base64?bGluZTEKbGluZTI=?=', 'line1\nline2'],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?base64??=', ''],
  ])('reads %s', (header, value) => {
    expect(readHeaderValue(header)).toBe(value)
  })

  test.each([
    ['plain Base64 without the markers', 'SGVsbG8='],
    ['a prefix without its suffix', '=?base64?SGVsbG8='],
    ['a suffix without its prefix', 'SGVsbG8=?='],
    ['markers that share a character', '=?base64?='],
    ['markers in capitals', '=?BASE64?SGVsbG8=?='],
  ])('takes %s as it stands', (_, header) => {
    expect(readHeaderValue(header)).toBe(header)
  })

  test.each([
    ['missing padding', '=?base64?SGVsbG8?='],
    ['characters that are not Base64', '=?base64?SGVs!!!bG8=?='],
    ['white space inside', '=?base64?SGVs bG8=?='],
    ['bits that no byte uses', '=?base64?SGVsbG9=?='],
    ['bytes that are not UTF-8', '=?base64?/w==?='],
    ['a letter that is not ASCII', 'Zürich'],
    ['a control character', 'a\u0001b'],
  ])('refuses %s', (_, header) => {
    expect(readHeaderValue(header)).toBeNull()
  })
})

describe('the header of a parameter', () => {
  // basic/transports/streamable-http, "Server Behavior for Custom Headers"
  const region = [{ name: 'Region', path: ['region'] }]
  const nested = [{ name: 'City', path: ['place', 'city'] }]

  function mismatch(declared: typeof region, headers: Record<string, string>, input: JsonObject) {
    return findParamMismatch(declared, new Headers(headers), input)
  }

  describe('passes', () => {
    test.each([
      ['an equal string', region, { 'Mcp-Param-Region': 'eu' }, { region: 'eu' }],
      ['a name in other letters', region, { 'mcp-param-REGION': 'eu' }, { region: 'eu' }],
      ['an encoded value', region, { 'Mcp-Param-Region': '=?base64?5LiW?=' }, { region: '世' }],
      ['an integer', region, { 'Mcp-Param-Region': '42' }, { region: 42 }],
      [
        'an integer written with a fraction',
        region,
        { 'Mcp-Param-Region': '42.0' },
        { region: 42 },
      ],
      ['a negative integer', region, { 'Mcp-Param-Region': '-7' }, { region: -7 }],
      ['a boolean', region, { 'Mcp-Param-Region': 'false' }, { region: false }],
      ['an empty string', region, { 'Mcp-Param-Region': '' }, { region: '' }],
      ['null without a header', region, {}, { region: null }],
      ['nothing without a header', region, {}, {}],
      ['a nested value', nested, { 'Mcp-Param-City': 'Ulm' }, { place: { city: 'Ulm' } }],
      ['a nested value whose parent is missing', nested, {}, {}],
      ['a nested value whose parent is a string', nested, {}, { place: 'city' }],
      ['an object, which the schema will refuse', region, {}, { region: {} }],
      ['headers of other parameters', region, { 'Mcp-Param-Other': 'x' }, {}],
      ['a name that every object has', [{ name: 'C', path: ['constructor'] }], {}, {}],
    ])('%s', (_, declared, headers, input) => {
      expect(mismatch(declared, headers, input)).toBeNull()
    })
  })

  describe('finds', () => {
    test.each([
      ['another value', region, { 'Mcp-Param-Region': 'us' }, { region: 'eu' }, 'does not match'],
      ['other letters', region, { 'Mcp-Param-Region': 'EU' }, { region: 'eu' }, 'does not match'],
      ['no header', region, {}, { region: 'eu' }, 'is missing'],
      ['no header for an empty string', region, {}, { region: '' }, 'is missing'],
      ['no header for false', region, {}, { region: false }, 'is missing'],
      ['a header for null', region, { 'Mcp-Param-Region': 'null' }, { region: null }, 'is present'],
      ['a header for nothing', region, { 'Mcp-Param-Region': 'eu' }, {}, 'is present'],
      ['a header for an object', region, { 'Mcp-Param-Region': '{}' }, { region: {} }, 'not match'],
      [
        'bad Base64',
        region,
        { 'Mcp-Param-Region': '=?base64?SGVsbG8?=' },
        { region: 'Hello' },
        'valid',
      ],
      ['True', region, { 'Mcp-Param-Region': 'True' }, { region: true }, 'does not match'],
      ['hexadecimal', region, { 'Mcp-Param-Region': '0x2A' }, { region: 42 }, 'does not match'],
      [
        'an integer beyond what a double can tell',
        region,
        { 'Mcp-Param-Region': '9007199254740993' },
        { region: 9007199254740992 },
        'does not match',
      ],
      [
        'a nested value',
        nested,
        { 'Mcp-Param-City': 'Bonn' },
        { place: { city: 'Ulm' } },
        'place.city',
      ],
    ])('%s', (_, declared, headers, input, why) => {
      expect(mismatch(declared, headers, input)).toContain(why)
    })
  })
})
