import * as z from 'zod'
import { expect, test } from 'vitest'
import { findSchemaRefusals } from '../../../src/build/schema/schema-problems.ts'

const printsNone = (): null => null

test.each([
  ['no schema', {}],
  ['a zod object', { input: z.object({ a: z.string() }) }],
  ['a plain JSON Schema', { input: { type: 'object' } }],
])('takes %s', (_, definition) => {
  expect(findSchemaRefusals('input', definition, printsNone)).toEqual([])
})

// what a copy of a validator that does not know the other's schemas prints
const emptyPrint = {
  version: 1,
  vendor: 'zod',
  validate: () => ({}),
  jsonSchema: { input: () => ({}) },
}
const noPrint = { version: 1, vendor: 'zod', validate: () => ({}) }

test.each([
  [{ input: null }, '`input` is null, not a schema.'],
  [{ input: undefined }, '`input` is undefined, not a schema. Check where it is imported from'],
  [{ input: 'string' }, '`input` is string, not a schema.'],
  [{ input: [] }, '`input` is object, not a schema.'],
  [{ input: {} }, '`input`: The input schema is empty.'],
  [{ input: { '~standard': emptyPrint } }, '`input`: The input schema is empty.'],
  [{ input: { '~standard': noPrint } }, '`input`: This schema of "zod" cannot print itself'],
  [{ input: z.string() }, '`input`: The input schema must have "type": "object"'],
  [{ input: z.object({ at: z.date() }) }, '`input`: This schema cannot be printed'],
])('refuses %o', (definition, start) => {
  const [problem] = findSchemaRefusals('input', definition, printsNone)
  expect(problem).toContain(start)
})

test('says of an output what is wrong with it', () => {
  const [problem] = findSchemaRefusals('output', { output: { type: 'strin' } }, printsNone)
  expect(problem).toMatch(/^`output`: At #: .*type/)
})
