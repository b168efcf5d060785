import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import {
  findSchemaProblems,
  findSchemaRefusals,
} from '../../../../src/build/schema/schema-problems.ts'
import { toJsonSchema } from '../../../../src/schema/to-json-schema.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

describe('a sound schema', () => {
  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree)
    },
  })
  it.each<[string, unknown]>([
    ['what zod prints', toJsonSchema(z.object({ at: z.iso.datetime(), to: z.email() }), 'input')],
    ['what zod prints for a recursive schema', toJsonSchema(tree, 'input')],
    ['no arguments', { type: 'object', additionalProperties: false }],
    ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
    ['draft-07 over https', { $schema: 'https://json-schema.org/draft-07/schema', type: 'object' }],
    ['2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema#', type: 'object' }],
    ['sizes from zero', object({ properties: { a: { minLength: 0, maxItems: 0 } } })],
    ['a pointer', object({ $ref: '#/$defs/a%20b', $defs: { 'a b': {} } })],
    ['an anchor', object({ $ref: '#here', $defs: { a: { $anchor: 'here' } } })],
    ['an $id inside', object({ $ref: 'entry', $defs: { a: { $id: 'entry', type: 'object' } } })],
    [
      'an absolute $id inside',
      object({ $ref: 'https://example.com/a', $defs: { a: { $id: 'https://example.com/a' } } }),
    ],
    ['a recursive list', object({ $defs: { n: { items: { $ref: '#/$defs/n' } } } })],
    ['data that looks like a schema', object({ default: { $ref: 'http://x', type: 'strng' } })],
  ])('has no problems: %s', (_, schema) => {
    expect(findSchemaProblems(schema, 'input')).toEqual([])
  })

  it('of an output may have any type, or be empty', () => {
    expect(findSchemaProblems({ type: 'array' }, 'output')).toEqual([])
    expect(findSchemaProblems({}, 'output')).toEqual([])
  })
})

describe('an input schema', () => {
  it.each([null, [], 'object', true, undefined])('must be an object, unlike %j', (schema) => {
    expect(findSchemaProblems(schema, 'input')).toEqual([
      'The schema must be a JSON Schema object.',
    ])
  })

  it('must not be empty', () => {
    expect(findSchemaProblems({}, 'input')).toEqual([
      expect.stringContaining('The input schema is empty.'),
    ])
  })

  it.each([{ type: 'string' }, { anyOf: [{}] }, { type: ['object', 'null'] }])(
    'must be of type object, unlike %j',
    (schema) => {
      expect(findSchemaProblems(schema, 'input')).toEqual([
        'The input schema must have "type": "object" at its root, since arguments have names.',
      ])
    },
  )
})

describe('a dialect', () => {
  it.each([
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://example.com/own',
    5,
  ])('that is not supported is named: %s', ($schema) => {
    const problem =
      `"$schema" is ${JSON.stringify($schema)}, a dialect that is not supported. ` +
      'Write the schema in 2020-12, the default, or in draft-07.'
    expect(findSchemaProblems({ ...object({}), $schema }, 'input')).toEqual([`At #: ${problem}`])
    const nested = object({ properties: { a: { $schema } } })
    expect(findSchemaProblems(nested, 'input')).toContain(`At #/properties/a: ${problem}`)
  })

  it('may not change inside a schema', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(findSchemaProblems(object({ properties: { a: { $schema } } }), 'input')).toEqual([
      `At #/properties/a: "$schema" is "${$schema}", but a schema must use one dialect.`,
    ])
  })
})

describe('a keyword', () => {
  it.each<[JsonObject, string]>([
    [
      { type: 'strng' },
      '"type" must be one of string, number, integer, boolean, object, array, null, or a list of them.',
    ],
    [
      { type: [] },
      '"type" must be one of string, number, integer, boolean, object, array, null, or a list of them.',
    ],
    [{ properties: [] }, '"properties" must be an object of schemas.'],
    [{ properties: { a: 'string' } }, '"properties" must be an object of schemas.'],
    [{ required: 'a' }, '"required" must be a list of names.'],
    [{ required: [1] }, '"required" must be a list of names.'],
    [{ enum: 'a' }, '"enum" must be a list of values.'],
    [{ anyOf: [] }, '"anyOf" must be a list of schemas.'],
    [{ anyOf: {} }, '"anyOf" must be a list of schemas.'],
    [{ items: [{}] }, '"items" must be a schema.'],
    [{ minLength: -1 }, '"minLength" must be a whole number from 0.'],
    [{ maximum: '5' }, '"maximum" must be a number.'],
    [{ multipleOf: 0 }, '"multipleOf" must be a number above 0.'],
    [{ uniqueItems: 'yes' }, '"uniqueItems" must be true or false.'],
    [{ $ref: 5 }, '"$ref" must be text.'],
    [{ dependentRequired: { a: 'b' } }, '"dependentRequired" must be an object of lists of names.'],
    [
      { dependencies: { a: 'b' } },
      '"dependencies" must be an object of schemas or lists of names.',
    ],
    [{ $dynamicRef: 7 }, '"$dynamicRef" must be text.'],
    [{ $dynamicAnchor: 7 }, '"$dynamicAnchor" must be text.'],
    [{ $recursiveRef: '#' }, '"$recursiveRef" is not supported. Use "$ref".'],
  ])('must have a value of its kind, unlike %j', (part, problem) => {
    expect(findSchemaProblems(object({ properties: { a: part } }), 'input')).toEqual([
      `At #/properties/a: ${problem}`,
    ])
  })

  it('may have what its own dialect allows', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const schema = object({ $schema, properties: { a: { items: [{}] } } })
    expect(findSchemaProblems(schema, 'input')).toEqual([])
  })

  it.each([{ pattern: '(' }, { patternProperties: { '(': {} } }])(
    'must be a regular expression, unlike that of %j',
    (part) => {
      const [problem] = findSchemaProblems(object(part), 'input')
      expect(problem).toContain('At #: The pattern ( is not valid: SyntaxError')
    },
  )

  it.each([{ pattern: '(a+)+$' }, { patternProperties: { '(a+)+$': {} } }])(
    'must not take seconds to match, unlike that of %j',
    (part) => {
      const [problem] = findSchemaProblems(object(part), 'input')
      expect(problem).toContain('several ways, so that a hostile text takes seconds')
    },
  )
})

describe('a reference', () => {
  it.each(['http://example.com/a.json', 'https://example.com/#/a', 'other.json', 'urn:x:y'])(
    'may not lead out of the schema: %s',
    ($ref) => {
      expect(findSchemaProblems(object({ properties: { a: { $ref } } }), 'input')).toEqual([
        `"$ref" at #/properties/a points to ${$ref}, outside this schema, and nothing is fetched. ` +
          'Copy the target into "$defs".',
      ])
    },
  )

  it.each(['#/$defs/none', '#none', '#/components/a', '#/properties/a/default'])(
    'must lead to a subschema: %s',
    ($ref) => {
      const schema = object({ properties: { a: { $ref, default: {} } }, components: { a: {} } })
      expect(findSchemaProblems(schema, 'input')).toEqual([
        `"$ref" at #/properties/a points to ${$ref}, where this schema has no subschema. ` +
          'Put it under "$defs".',
      ])
    },
  )

  it('that is not a URI is reported, not thrown', () => {
    expect(findSchemaProblems(object({ $ref: 'http://[' }), 'input')).toEqual([
      expect.stringContaining('A "$ref" or "$id" is not usable'),
    ])
  })

  it.each<[string, JsonObject]>([
    ['itself', { a: { $ref: '#/$defs/a' } }],
    [
      'another that refers back',
      { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
    ],
    ['a condition that refers back', { a: { if: { $ref: '#/$defs/a' } } }],
    ['a dependency that refers back', { a: { dependentSchemas: { x: { $ref: '#/$defs/a' } } } }],
  ])('may not form a circle: to %s', (_, $defs) => {
    expect(findSchemaProblems(object({ $defs }), 'input')).toEqual([
      expect.stringContaining('refers to itself without a property or an item in between'),
    ])
  })
})

describe('the size of a schema', () => {
  it('is at most 64 levels', () => {
    expect(findSchemaProblems(nested(64), 'input')).toEqual([])
    expect(findSchemaProblems(nested(65), 'input')).toEqual([
      'The schema is more than 64 levels deep. Flatten it.',
    ])
  })

  it('is at most 2,000 subschemas', () => {
    expect(findSchemaProblems(wide(1_999), 'input')).toEqual([])
    expect(findSchemaProblems(wide(2_000), 'input')).toEqual([
      'The schema has more than 2000 subschemas. Split the tool, or loosen its schema.',
    ])
  })

  it('is bounded where an object in code contains itself', () => {
    const schema: Record<string, unknown> = object({})
    schema['properties'] = { a: schema, b: schema }
    expect(findSchemaProblems(schema, 'input')).toEqual([
      'The schema is more than 64 levels deep. Flatten it.',
    ])
  })

  it('counts applied subschemas: references that double at each step are refused', () => {
    const levels = Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` }
      return [`d${index}`, { anyOf: [next, next] }]
    })
    const $defs = { ...Object.fromEntries(levels), d40: { type: 'string' } }
    expect(findSchemaProblems(object({ $defs }), 'input')).toEqual([
      expect.stringContaining('applies more than 10000 subschemas to a single value'),
    ])
  })
})

const printsNone = (): null => null

test.each([
  ['no schema', {}],
  ['a zod object', { input: z.object({ a: z.string() }) }],
  ['a plain JSON Schema', { input: { type: 'object' } }],
  ['a property with the name of a schema', { input: { type: 'object', properties: { who: {} } } }],
])('accepts %s', (_, definition) => {
  expect(findSchemaRefusals('input', definition, printsNone)).toEqual([])
})

// what one version of a validator prints for a schema of another version
const emptyPrint = {
  version: 1,
  vendor: 'zod',
  validate: () => ({}),
  jsonSchema: { input: () => ({}) },
}
const noPrint = { version: 1, vendor: 'zod', validate: () => ({}) }

test.each([
  [{ input: null }, '`input` is null, not a schema.'],
  [{ input: undefined }, '`input` is undefined, not a schema. Check its import'],
  [{ input: 'string' }, '`input` is string, not a schema.'],
  [{ input: [] }, '`input` is object, not a schema.'],
  [
    { input: { who: z.string(), note: null } },
    '`input` is an object of schemas, not a schema. Wrap it in z.object({ ... }).',
  ],
  [{ input: {} }, '`input`: The input schema is empty.'],
  [{ input: { '~standard': emptyPrint } }, '`input`: The input schema is empty.'],
  [{ input: { '~standard': noPrint } }, '`input`: This schema of "zod" cannot print itself'],
  [{ input: { '~standard': noPrint } }, "import from 'zod', not from 'zod/v3'"],
  [{ input: z.string() }, '`input`: The input schema must have "type": "object"'],
  [{ input: z.object({ at: z.date() }) }, '`input`: This schema cannot be printed'],
])('refuses %o', (definition, start) => {
  const [problem] = findSchemaRefusals('input', definition, printsNone)
  expect(problem).toContain(start)
})

test('finds the problems of an output', () => {
  const [problem] = findSchemaRefusals('output', { output: { type: 'strin' } }, printsNone)
  expect(problem).toMatch(/^`output`: At #: .*type/)
})

function object(rest: JsonObject): Record<string, unknown> {
  return { type: 'object', ...rest }
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: 'object' }
  for (let level = 0; level < levels; level++) schema = object({ properties: { a: schema } })
  return schema
}

function wide(subschemas: number): JsonObject {
  const entries = Array.from({ length: subschemas }, (_, index) => [`p${index}`, {}])
  return object({ properties: Object.fromEntries(entries) })
}
