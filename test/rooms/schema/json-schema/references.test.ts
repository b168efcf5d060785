import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import { createJsonSchemaCheck } from '../../../../src/schema/json-schema/check.ts'

const draft7 = 'http://json-schema.org/draft-07/schema#'

function fits(schema: JsonObject, value: unknown): boolean {
  return createJsonSchemaCheck(schema)(value).ok
}

/** A tree of nodes that each allow what the extending schema allows. */
const tree = {
  $id: 'https://example.com/tree',
  $dynamicAnchor: 'node',
  type: 'object',
  properties: {
    data: true,
    children: { type: 'array', items: { $dynamicRef: '#node' } },
  },
}
const strictTree = {
  $id: 'https://example.com/strict-tree',
  $dynamicAnchor: 'node',
  $ref: 'tree',
  unevaluatedProperties: false,
  $defs: { tree },
}

describe('$dynamicRef', () => {
  it('leads to the outermost schema with the anchor', () => {
    const misspelt = { children: [{ daat: 1 }] }
    expect(fits(tree, misspelt)).toBe(true)
    expect(fits(strictTree, misspelt)).toBe(false)
    expect(fits(strictTree, { children: [{ data: 1, children: [{ data: 2 }] }] })).toBe(true)
    expect(createJsonSchemaCheck(strictTree)(misspelt)).toEqual({
      ok: false,
      problems: ['"children[0].daat" is not allowed here.'],
    })
  })

  it('is like $ref where its own target has no such anchor', () => {
    const list = {
      $id: 'https://example.com/list',
      items: { $dynamicRef: '#element' },
      $defs: { element: { $anchor: 'element' } },
    }
    const texts = {
      $ref: 'https://example.com/list',
      $defs: { element: { $dynamicAnchor: 'element', type: 'string' }, list },
    }
    expect(fits(texts, ['a', 1])).toBe(true)
  })

  it('chooses the items of a list by what refers to the list', () => {
    const list = {
      $id: 'https://example.com/list',
      items: { $dynamicRef: '#element' },
      $defs: { element: { $dynamicAnchor: 'element' } },
    }
    const of = (name: string, type: string): JsonObject => ({
      $id: `https://example.com/${name}`,
      $ref: 'list',
      $defs: { element: { $dynamicAnchor: 'element', type } },
    })
    const both = {
      properties: { texts: { $ref: 'https://example.com/texts' }, numbers: { $ref: '#/$defs/n' } },
      $defs: { list, texts: of('texts', 'string'), n: of('numbers', 'number') },
    }
    expect(fits(both, { texts: ['a'], numbers: [1] })).toBe(true)
    expect(fits(both, { texts: [1] })).toBe(false)
    expect(fits(both, { numbers: ['a'] })).toBe(false)
  })

  it('by pointer is like $ref, whatever resource was entered', () => {
    const inner = {
      $id: 'https://example.com/inner',
      $dynamicRef: '#/$defs/a',
      $defs: { a: { $dynamicAnchor: 'x', type: 'string' } },
    }
    const outer = {
      $ref: 'https://example.com/inner',
      $defs: { b: { $dynamicAnchor: 'x' }, inner },
    }
    expect([fits(outer, 'a'), fits(outer, 1)]).toEqual([true, false])
  })

  it('by pointer is like $ref', () => {
    const schema = {
      $dynamicRef: '#/$defs/a',
      $defs: { a: { $dynamicAnchor: 'x', type: 'string' } },
    }
    expect([fits(schema, 'a'), fits(schema, 1)]).toEqual([true, false])
  })
})

describe('$ref', () => {
  it.each<[string, JsonObject]>([
    ['a pointer', { $ref: '#/$defs/text', $defs: { text: { type: 'string' } } }],
    ['an escaped pointer', { $ref: '#/$defs/a~1b~0c%25', $defs: { 'a/b~c%': { type: 'string' } } }],
    ['an anchor', { $ref: '#text', $defs: { a: { $anchor: 'text', type: 'string' } } }],
    ['an $id', { $ref: 'text.json', $defs: { a: { $id: 'text.json', type: 'string' } } }],
    [
      'an anchor in another resource',
      {
        $ref: 'a.json#text',
        $defs: { a: { $id: 'a.json', $defs: { b: { $anchor: 'text', type: 'string' } } } },
      },
    ],
    [
      'a pointer from within another resource',
      {
        $ref: 'a.json',
        $defs: { a: { $id: 'a.json', $ref: '#/$defs/b', $defs: { b: { type: 'string' } } } },
      },
    ],
    [
      'an urn',
      { $id: 'urn:x:root', $ref: 'urn:x:root#/$defs/a', $defs: { a: { type: 'string' } } },
    ],
    [
      'an anchor of draft-07',
      { $schema: draft7, $ref: '#text', definitions: { a: { $id: '#text', type: 'string' } } },
    ],
    [
      'a list of draft-07',
      { $schema: draft7, $ref: '#/items/1', items: [true, { type: 'string' }] },
    ],
  ])('leads to %s', (_, schema) => {
    expect([fits(schema, 'a'), fits(schema, 1)]).toEqual([true, false])
  })

  it('hides its neighbours in draft-07 only', () => {
    const schema = { $ref: '#/definitions/a', maxLength: 1, definitions: { a: { type: 'string' } } }
    expect(fits({ $schema: draft7, properties: { a: schema }, ...schema }, 'ab')).toBe(true)
    expect(fits(schema, 'ab')).toBe(false)
  })

  it.each(['#/$defs/none', '#none', 'https://example.com/a', '#/const', '#/default'])(
    'that leads nowhere throws, as the build would have refused the schema: %s',
    ($ref) => {
      const check = createJsonSchemaCheck({ allOf: [{ $ref }], const: {}, default: true })
      expect(() => check({})).toThrow('Unresolved reference')
    },
  )
})

describe('unevaluated members', () => {
  const named = { properties: { a: true } }

  it.each<[string, JsonObject, unknown, boolean]>([
    ['counts allOf', { allOf: [named] }, { a: 1 }, true],
    ['counts a branch that fits', { anyOf: [named, { required: ['b'] }] }, { a: 1 }, true],
    [
      'does not count one that does not',
      { anyOf: [true, { ...named, required: ['b'] }] },
      { a: 1 },
      false,
    ],
    [
      'does not count what a branch evaluated before it failed',
      { anyOf: [true, { properties: { a: { type: 'string' } } }] },
      { a: 1 },
      false,
    ],
    [
      'does not see what a schema beside it evaluated',
      { properties: { a: true }, allOf: [named, { unevaluatedProperties: false }] },
      { a: 1 },
      false,
    ],
    ['counts every branch that fits', { anyOf: [true, named] }, { a: 1 }, true],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword
    ['counts `if`', { if: named, then: { properties: { b: true } } }, { a: 1, b: 1 }, true],
    [
      'does not count an `if` that does not fit',
      { if: { ...named, required: ['b'] } },
      { a: 1 },
      false,
    ],
    ['does not count `not`', { not: { not: named } }, { a: 1 }, false],
    ['counts dependents', { dependentSchemas: { a: named } }, { a: 1 }, true],
    ['counts patterns', { patternProperties: { '^a': true } }, { a: 1 }, true],
    [
      'does not see its neighbours',
      { properties: { a: true }, allOf: [{ unevaluatedProperties: false }] },
      { a: 1 },
      false,
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(fits({ ...schema, unevaluatedProperties: false }, value)).toBe(expected)
  })

  it.each<[string, JsonObject, unknown, boolean]>([
    ['counts a prefix', { prefixItems: [true] }, [1], true],
    ['does not count what follows', { prefixItems: [true] }, [1, 2], false],
    ['counts the prefix of allOf', { allOf: [{ prefixItems: [true, true] }] }, [1, 2], true],
    ['counts items that `contains` found', { contains: { type: 'string' } }, ['a', 'b'], true],
    ['does not count the others', { contains: { type: 'string' } }, ['a', 1], false],
    ['counts `items` of $ref', { $ref: '#/$defs/a', $defs: { a: { items: true } } }, [1, 2], true],
  ])('in arrays: %s', (_, schema, value, expected) => {
    expect(fits({ ...schema, unevaluatedItems: false }, value)).toBe(expected)
  })
})
