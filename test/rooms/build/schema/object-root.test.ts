import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { toInputRoot, toOutputRoot } from '../../../../src/build/schema/object-root.ts'
import { findSchemaProblems } from '../../../../src/build/schema/schema-problems.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import { createJsonSchemaCheck } from '../../../../src/schema/json-schema/check.ts'
import type { StandardSchema } from '../../../../src/schema/standard-schema.ts'
import { toJsonSchema } from '../../../../src/schema/to-json-schema.ts'

const a = z.object({ kind: z.literal('a'), x: z.string() })
const b = z.strictObject({ kind: z.literal('b'), y: z.number() })
const tree = z.object({
  kind: z.literal('tree'),
  get parts() {
    return z.array(z.discriminatedUnion('kind', [tree, b]))
  },
})
const good = { kind: 'a', x: 'text' }
const wrong = { kind: 'a', x: 1 }

describe('an input', () => {
  test.each<[string, StandardSchema, unknown, unknown]>([
    ['discriminated union', z.discriminatedUnion('kind', [a, b]), good, wrong],
    ['union', z.union([a, b]), good, wrong],
    ['union of unions', z.union([z.discriminatedUnion('kind', [a, b]), z.object({})]), good, 1],
    ['union with null', z.union([a, b]).nullable(), good, wrong],
    ['union with text', z.union([a, z.string()]), good, wrong],
    ['intersection', z.intersection(a, z.object({ z: z.string().optional() })), good, wrong],
    ['intersection with a union', a.and(z.union([b.partial().loose(), z.object({})])), good, wrong],
    ['.and()', a.and(z.object({ z: z.string().optional() })), good, wrong],
    ['transform', a.transform(({ x }) => x), good, wrong],
    ['transform of a union', z.union([a, b]).transform(({ kind }) => kind), good, wrong],
    ['pipe', z.pipe(a, z.any()), good, wrong],
    ['preprocessed', z.preprocess((value) => value, z.union([a, b])), good, wrong],
    ['lazy', z.lazy(() => z.union([a, b])), good, wrong],
    ['optional', a.optional(), good, wrong],
    ['optional union', z.union([a, b]).optional(), good, wrong],
    ['default', a.default({ kind: 'a', x: '' }), good, wrong],
    ['read-only', a.readonly(), good, wrong],
    ['record', z.record(z.string(), z.number()), { n: 1 }, { n: 'text' }],
    ['loose object', z.looseObject({}), { n: 1 }, 1],
    [
      'recursive union',
      z.discriminatedUnion('kind', [tree, b]),
      { kind: 'tree', parts: [{ kind: 'tree', parts: [] }] },
      { kind: 'tree', parts: [{ kind: 'a', x: '' }] },
    ],
    ['JSON, of which the values in the arguments are any', z.json(), { a: ['text', 1, null] }, 'a'],
  ])('%s has the type object and properties at its root', (_, schema, right, bad) => {
    const root = toInputRoot(toJsonSchema(schema, 'input'))
    expect(Object.keys(root).slice(0, 2)).toEqual(['type', 'properties'])
    expect(root['type']).toBe('object')
    expect(findSchemaProblems(root, 'input')).toEqual([])
    const check = createJsonSchemaCheck(root)
    expect(check(right).ok).toBe(true)
    expect(check(bad).ok).toBe(false)
  })

  test.each<JsonObject>([
    { type: ['object', 'null'] },
    { anyOf: [{ type: 'null' }, { type: ['object', 'array'] }] },
    {
      $ref: '#/$defs/a',
      $defs: { a: { oneOf: [{ $ref: '#/$defs/b' }], b: {} }, b: { type: 'object' } },
    },
    { allOf: [{}, { anyOf: [{ type: 'object' }] }] },
    { $schema: 'http://json-schema.org/draft-07/schema#', anyOf: [{ type: 'object' }] },
  ])('%j has too', (schema) => {
    expect(toInputRoot(schema)).toMatchObject({ type: 'object', properties: {} })
  })

  test.each<JsonObject>([
    {},
    { type: 'string' },
    { type: 'array', items: { type: 'object' } },
    { anyOf: [] },
    { anyOf: [{}] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { anyOf: [{ type: 'object' }], oneOf: [{ type: 'string' }] },
    { allOf: [{ anyOf: [{ type: 'string' }] }] },
    { $ref: '#' },
    { $ref: '#/$defs/none' },
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } },
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/a',
      definitions: { a: { type: 'object' } },
    },
  ])('%j stays as it is', (schema) => {
    expect(toInputRoot(schema)).toBe(schema)
  })

  test('keeps its dialect first', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(JSON.stringify(toInputRoot({ title: 'a', type: 'object', $schema }))).toBe(
      `{"$schema":"${$schema}","type":"object","properties":{},"title":"a"}`,
    )
  })
})

describe('an output', () => {
  test.each([z.union([a, b]), z.discriminatedUnion('kind', [a, b])])(
    'that is a union of objects has the type object',
    (schema) => {
      const printed = toJsonSchema(schema, 'output')
      expect(toOutputRoot(printed)).toEqual({ type: 'object', ...printed })
    },
  )

  test.each([z.union([a, z.string()]), a.nullable(), z.json(), z.string(), a, z.any()])(
    'that is something else stays as it is',
    (schema) => {
      const printed = toJsonSchema(schema, 'output')
      expect(toOutputRoot(printed)).toBe(printed)
    },
  )
})
