import { describe, expect, test } from 'vitest'
import { findParamMismatch } from '../../../src/mcp/envelope.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

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
    ['an integer written with a fraction', region, { 'Mcp-Param-Region': '42.0' }, { region: 42 }],
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
