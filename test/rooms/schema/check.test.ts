import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCheck, createOutputCheck } from '../../../src/schema/check.ts'
import '../../../src/schema/json-schema/register.ts'
import { noArguments } from '../../../src/schema/standard-schema.ts'

describe('a Standard Schema', () => {
  it('returns the parsed value synchronously', () => {
    const check = createCheck(z.object({ size: z.string().default('M') }))
    expect(check({ extra: 1 })).toEqual({ ok: true, value: { size: 'M' } })
  })

  it('returns a promise if the schema is asynchronous', async () => {
    const check = createCheck(z.string().refine(async (text) => text === 'a', 'must be "a"'))
    const answer = check('b')
    expect(answer).toBeInstanceOf(Promise)
    expect(await answer).toEqual({ ok: false, problems: ['The value must be "a".'] })
  })

  it('may be a function, as schemas of ArkType are', () => {
    const schema = Object.assign(() => null, { '~standard': noArguments['~standard'] })
    expect(createCheck(schema)({})).toEqual({ ok: true, value: {} })
  })

  it('refuses every field if a tool has no arguments', () => {
    const problems = ['"a" is not allowed: there are no arguments.']
    expect(createCheck(noArguments)({ a: 1 })).toEqual({ ok: false, problems })
  })
})

describe('a plain JSON Schema', () => {
  it('returns the value unchanged', () => {
    const value = { sku: 'A' }
    const result = createCheck({ type: 'object' })(value)
    expect(result).toEqual({ ok: true, value })
    expect(result).toHaveProperty('value', value)
  })

  it('accepts frozen schemas and frozen values', () => {
    const schema = Object.freeze({
      properties: Object.freeze({ a: Object.freeze({ type: 'array' }) }),
    })
    const value = Object.freeze({ a: Object.freeze([Object.freeze({})]) })
    expect(createCheck(schema)(value)).toEqual({ ok: true, value })
  })

  it('does not change the schema of its author', () => {
    const schema = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }
    expect(createCheck(schema)({ a: 'x' })).toHaveProperty('ok', true)
    expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(['$ref'])
  })

  it('checks a value as JSON, without undefined members', () => {
    const check = createCheck({ properties: { a: { type: 'string' } }, required: ['a'] })
    const problems = ['"a" is missing and must be a string.']
    expect(check({ a: undefined })).toEqual({ ok: false, problems })
    expect(check(undefined)).toEqual({ ok: false, problems: ['The value is missing.'] })
  })

  it('does not count members that are undefined, which JSON leaves out', () => {
    const value = { a: undefined }
    const check = createCheck({ maxProperties: 0, additionalProperties: false })
    expect(check(value)).toEqual({ ok: true, value })
  })

  it('is read as draft-07 by its $schema: keywords beside a $ref do not count', () => {
    const schema = {
      definitions: { any: {} },
      properties: { a: { $ref: '#/definitions/any', type: 'string' } },
    }
    const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema }
    expect(createCheck(schema)({ a: 1 })).toHaveProperty('ok', false)
    expect(createCheck(draft07)({ a: 1 })).toHaveProperty('ok', true)
  })

  it('accepts names of inherited members', () => {
    const check = createCheck({
      properties: { constructor: { type: 'string' } },
      required: ['toString'],
      additionalProperties: { type: 'number' },
    })
    const problems = ['"toString" is missing.', '"__proto__" must be a number, but is an object.']
    expect(check(JSON.parse('{"__proto__":{"toString":1}}'))).toEqual({ ok: false, problems })
  })

  it('checks an output as the JSON that will be sent, and returns what the tool returned', () => {
    const check = createOutputCheck({ type: 'object', properties: { at: { type: 'string' } } })
    const value = { at: new Date(0) }
    const result = check(value)
    expect(result).toHaveProperty('ok', true)
    expect(result).toHaveProperty('value', value)
    const problems = ['"at" must be a string, but is a number.']
    expect(check({ at: 1 })).toEqual({ ok: false, problems })
    expect(check(undefined)).toEqual({ ok: false, problems: ['The value is missing.'] })
  })

  it('throws for an invalid schema that no build has checked', () => {
    expect(() => createCheck({ $ref: '#/$defs/none' })({})).toThrow('Unresolved reference')
  })
})
