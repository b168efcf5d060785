import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import * as core from 'zod/v4/core'
import { createCheck } from '../../../src/schema/check.ts'
import { noArguments } from '../../../src/schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../../src/schema/to-json-schema.ts'

const { _default: withDefault } = mini

const printMini: PrintOther = (schema, io) =>
  schema instanceof core.$ZodType ? ({ target }) => core.toJSONSchema(schema, { target, io }) : null

describe('toJsonSchema', () => {
  const properties = { city: { type: 'string', default: 'Oslo' } }
  const written = { type: 'object', properties }
  const read = { ...written, required: ['city'], additionalProperties: false }

  it('prints a schema of zod before and after the check', () => {
    const schema = z.object({ city: z.string().default('Oslo') })
    expect(toJsonSchema(schema, 'input')).toEqual(written)
    expect(toJsonSchema(schema, 'output')).toEqual(read)
  })

  it('prints a schema of zod/mini, which has no printer, with a given one', () => {
    const schema = mini.object({ city: withDefault(mini.string(), 'Oslo') })
    expect(toJsonSchema(schema, 'input', printMini)).toEqual(written)
    expect(toJsonSchema(schema, 'output', printMini)).toEqual(read)
    expect(() => toJsonSchema(schema, 'input')).toThrow('wrap a schema of zod/mini')
  })

  it('prints a schema of zod/mini that its author has wrapped', () => {
    const schema = mini.toJSONSchema(mini.object({ city: withDefault(mini.string(), 'Oslo') }))
    expect(toJsonSchema(schema, 'input')).toEqual(written)
    expect(toJsonSchema(schema, 'output')).toEqual(read)
    expect(createCheck(schema)({})).toEqual({ ok: true, value: { city: 'Oslo' } })
  })

  it('prints annotations', () => {
    const region = z.string().meta({ 'x-mcp-header': 'Region', title: 'Region' })
    expect(toJsonSchema(z.object({ region }), 'input')).toMatchObject({
      properties: { region: { type: 'string', title: 'Region', 'x-mcp-header': 'Region' } },
    })
  })

  it('returns a plain JSON Schema unchanged', () => {
    const schema = {
      type: 'object',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      'x-own': { any: 'thing' },
    }
    expect(toJsonSchema(schema, 'input')).toBe(schema)
  })

  it('prints the schema of no arguments as the specification recommends', () => {
    expect(toJsonSchema(noArguments, 'input')).toEqual({
      type: 'object',
      additionalProperties: false,
    })
  })

  it('keeps a $schema that names another dialect', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(
      toJsonSchema(
        printing(() => ({ $schema, type: 'object' })),
        'input',
      ),
    ).toEqual({
      $schema,
      type: 'object',
    })
  })

  it('throws for a validator without a printer, with what to do', () => {
    const old = {
      '~standard': { ...noArguments['~standard'], vendor: 'zod', jsonSchema: undefined },
    }
    expect(() => toJsonSchema(old, 'input')).toThrow('With zod, use 4.2 or later')
  })

  it('throws for a type that JSON does not have, with what to do', () => {
    expect(() => toJsonSchema(z.object({ at: z.date() }), 'input')).toThrow(
      'Use types that JSON can represent',
    )
  })
})

function printing(print: () => Record<string, unknown>): typeof noArguments {
  return {
    '~standard': { ...noArguments['~standard'], jsonSchema: { input: print, output: print } },
  }
}
