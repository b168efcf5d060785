import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { readParamHeaders } from '../../../../src/build/schema/param-headers.ts'
import { toJsonSchema } from '../../../../src/schema/to-json-schema.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const notAProperty =
  'cannot be mirrored: only properties, and properties of properties, may have the keyword.'

describe('x-mcp-header', () => {
  it('is read from properties and from properties of properties', () => {
    const schema = z.object({
      region: z.string().meta({ 'x-mcp-header': 'Region' }),
      query: z.object({ limit: z.int().optional().meta({ 'x-mcp-header': 'Query-Limit' }) }),
      dry: z.boolean().meta({ 'x-mcp-header': 'dry' }),
    })
    expect(readParamHeaders(toJsonSchema(schema, 'input'))).toEqual({
      headers: [
        { name: 'Region', path: ['region'] },
        { name: 'Query-Limit', path: ['query', 'limit'] },
        { name: 'dry', path: ['dry'] },
      ],
      problems: [],
    })
  })

  it.each(['', 5, null])('must be a text and not empty, unlike %j', (name) => {
    expect(problemOf({ type: 'string', 'x-mcp-header': name })).toBe(
      'must be a text and not empty: it is the {name} of Mcp-Param-{name}.',
    )
  })

  it.each([
    'My Region',
    'Region:',
    'Région',
    'Region\r\nX-Evil',
    'Region\u0000',
    '(Region)',
    'a/b',
  ])('must be a token, unlike %j', (name) => {
    expect(problemOf({ type: 'string', 'x-mcp-header': name })).toBe(
      `is ${JSON.stringify(name)}, which is not a valid HTTP header name. ` +
        'Use letters, digits and hyphens.',
    )
  })

  it("may use all of a token's characters", () => {
    const name = "!#$%&'*+-.^_`|~09azAZ"
    expect(problemOf({ type: 'string', 'x-mcp-header': name })).toBeUndefined()
  })

  it.each([
    ['of type "number"', 'number'],
    ['of type "object"', 'object'],
    ['of type "array"', 'array'],
    ['of type "null"', 'null'],
    ['of type ["string","null"]', ['string', 'null']],
    ['without a type', undefined],
  ])('may not be on a parameter %s', (text, type) => {
    expect(problemOf({ type, 'x-mcp-header': 'Region' })).toBe(
      `is on a parameter ${text}. ` +
        'Only a string, an integer or a boolean can be mirrored; make it optional, not nullable.',
    )
  })

  it('must be unique without regard to case', () => {
    const other = { type: 'string', 'x-mcp-header': 'REGION' }
    const nested = { type: 'object', properties: { b: other } }
    expect(readParamHeaders({ properties: { a: region, nested } })).toEqual({
      headers: [{ name: 'Region', path: ['a'] }],
      problems: [
        '"x-mcp-header" at #/properties/nested/properties/b is "REGION", which #/properties/a has ' +
          'already: header names are compared without case.',
      ],
    })
  })

  const inside = { properties: { region } }
  const places: (readonly [pointer: string, schema: JsonObject])[] = [
    ...['not', 'if', 'then', 'else'].map(
      (keyword) => [`#/${keyword}/properties/region`, { [keyword]: inside }] as const,
    ),
    ...['anyOf', 'oneOf', 'allOf'].map(
      (keyword) => [`#/${keyword}/0/properties/region`, { [keyword]: [inside] }] as const,
    ),
    ['#', { ...region }],
    ['#/items', { items: region }],
    ['#/items/0', { items: [region] }],
    ['#/prefixItems/0', { prefixItems: [region] }],
    ['#/contains', { contains: region }],
    ['#/additionalProperties', { additionalProperties: region }],
    ['#/patternProperties/^a', { patternProperties: { '^a': region } }],
    ['#/propertyNames', { propertyNames: region }],
    ['#/dependentSchemas/a/properties/region', { dependentSchemas: { a: inside } }],
    ['#/$defs/region', { $defs: { region }, properties: { a: { $ref: '#/$defs/region' } } }],
    ['#/definitions/region', { definitions: { region } }],
    ['#/properties/a/items/properties/region', { properties: { a: { items: inside } } }],
  ]
  it.each(places)('may be on properties only, not at %s', (pointer, schema) => {
    expect(readParamHeaders(schema)).toEqual({
      headers: [],
      problems: [`"x-mcp-header" at ${pointer} ${notAProperty}`],
    })
  })

  it('is not an annotation inside data, or as the name of a property', () => {
    const data = { properties: { region } }
    const schema = {
      properties: { a: { const: data, enum: [data], default: data, examples: [data] } },
      'x-own': data,
    }
    expect(readParamHeaders(schema)).toEqual({ headers: [], problems: [] })
    expect(readParamHeaders({ properties: { 'x-mcp-header': { type: 'string' } } })).toEqual({
      headers: [],
      problems: [],
    })
  })
})

/** The problem of one property, without the words that say where it is. */
function problemOf(property: JsonObject): string | undefined {
  const { problems } = readParamHeaders({ properties: { a: property } })
  return problems[0]?.replace('"x-mcp-header" at #/properties/a ', '')
}
