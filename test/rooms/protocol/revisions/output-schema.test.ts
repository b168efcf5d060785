import { Validator, type Schema } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import { type JsonObject, isJsonObject } from '../../../../src/protocol/json.ts'
import { convertResult } from '../../../../src/protocol/revisions/convert-result.ts'
import { newestLegacy } from '../../../../src/protocol/revisions/revisions.ts'

const node = {
  $ref: '#/$defs/node',
  $defs: { node: { type: ['object', 'null'], properties: { next: { $ref: '#/$defs/node' } } } },
}

const schemas: readonly JsonObject[] = [
  { type: 'array', items: { type: 'integer' } },
  { type: 'string', enum: ['a', 'b'] },
  { type: ['number', 'null'] },
  { type: ['object', 'null'], properties: { a: { type: 'string' } } },
  { enum: ['a', 1, null] },
  { const: { a: 'b' } },
  { anyOf: [{ type: 'object', required: ['a'] }, { type: 'array' }] },
  {},
  node,
  { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' } }] },
  { type: 'array', items: { $ref: '#/$defs/a' }, $defs: { a: { type: 'string' } } },
  { type: 'array', items: { $ref: '#a' }, $defs: { a: { $anchor: 'a', type: 'string' } } },
  {
    type: 'array',
    items: { properties: { $ref: { $ref: '#/$defs/a' } } },
    $defs: { a: { type: 'string' } },
  },
  { type: 'array', items: { const: { $ref: '#' } } },
  { $id: 'https://a.example/s', type: 'array', items: { $ref: '#/$defs/a' }, $defs: { a: true } },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'array',
    items: { $ref: '#/definitions/a' },
    definitions: { a: { type: 'integer' } },
  },
]

const values: readonly unknown[] = JSON.parse(
  '[1, 0.5, "a", "c", null, true, [], [1], ["a"], [[1]], [[["a"]]], [{ "$ref": "#" }], [{ "$ref": 1 }],' +
    '{}, { "a": "b" }, { "a": 1 }, { "next": null }, { "next": { "next": 1 } }, { "result": 1 }]',
)

function accepts(schema: JsonObject, value: unknown): boolean {
  const isOld = String(schema['$schema']).includes('draft-07')
  const plain: Schema = JSON.parse(JSON.stringify(schema))
  return new Validator(plain, isOld ? '7' : '2020-12').validate(value).valid
}

/** How a client before 2026-07-28 receives a structured value. */
function send(value: unknown): object {
  const members = `"content":[],"structuredContent":${JSON.stringify(value)}`
  const sent: { structuredContent: object } = JSON.parse(
    `{${convertResult('tools/call', members, newestLegacy)}}`,
  )
  return sent.structuredContent
}

test.each(schemas.map((schema) => [schema]))(
  'values of %j are sent so that the listed schema accepts them',
  (outputSchema) => {
    const tool = { name: 'a', inputSchema: { type: 'object' }, outputSchema }
    const listed = newestLegacy.toListed('tools', tool)['outputSchema']
    expect(listed).toMatchObject({ type: 'object' })
    const schema: JsonObject = Object(listed)
    const right = values.filter((value) => accepts(outputSchema, value))
    expect(right.length).toBeGreaterThan(0)
    const accepted = values.filter((value) => accepts(schema, send(value)))
    expect(accepted).toEqual(expect.arrayContaining(right))
    // an object with a `result` looks like another value that was wrapped
    const isMixed = 'anyOf' in schema
    const exact = isMixed ? right : accepted.filter((value) => !isJsonObject(value))
    expect(exact).toEqual(right)
  },
)
