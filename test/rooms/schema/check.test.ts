import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCheck } from '../../../src/schema/check.ts'
import { nothing } from '../../../src/schema/standard-schema.ts'

describe('a Standard Schema', () => {
  it('answers at once with the parsed value', () => {
    const check = createCheck(z.object({ size: z.string().default('M') }))
    expect(check({ extra: 1 })).toEqual({ ok: true, value: { size: 'M' } })
  })

  it('answers later where the schema itself is asynchronous', async () => {
    const check = createCheck(z.string().refine(async (text) => text === 'a', 'must be "a"'))
    const answer = check('b')
    expect(answer).toBeInstanceOf(Promise)
    expect(await answer).toEqual({ ok: false, problems: ['The value must be "a".'] })
  })

  it('may be a function, as schemas of ArkType are', () => {
    const schema = Object.assign(() => null, { '~standard': nothing['~standard'] })
    expect(createCheck(schema)({})).toEqual({ ok: true, value: {} })
  })

  it('refuses every field where a tool takes no arguments', () => {
    const problems = ['"a" is not allowed: there are no arguments.']
    expect(createCheck(nothing)({ a: 1 })).toEqual({ ok: false, problems })
  })
})

describe('a plain JSON Schema', () => {
  it('hands the value on as it is', () => {
    const value = { sku: 'A' }
    const result = createCheck({ type: 'object' })(value)
    expect(result).toEqual({ ok: true, value })
    expect(result).toHaveProperty('value', value)
  })

  it('takes frozen schemas and frozen values', () => {
    const schema = Object.freeze({
      properties: Object.freeze({ a: Object.freeze({ type: 'array' }) }),
    })
    const value = Object.freeze({ a: Object.freeze([Object.freeze({})]) })
    expect(createCheck(schema)(value)).toEqual({ ok: true, value })
  })

  it('leaves the schema of its author untouched', () => {
    const schema = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }
    expect(createCheck(schema)({ a: 'x' })).toHaveProperty('ok', true)
    expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(['$ref'])
  })

  it('sees a value as JSON carries it, without undefined members', () => {
    const check = createCheck({ properties: { a: { type: 'string' } }, required: ['a'] })
    const problems = ['"a" is missing and must be a string.']
    expect(check({ a: undefined })).toEqual({ ok: false, problems })
    expect(check(undefined)).toEqual({ ok: false, problems: ['The value is missing.'] })
  })

  it('is read as draft-07 where it says so: what stands beside a $ref does not count', () => {
    const schema = {
      definitions: { any: {} },
      properties: { a: { $ref: '#/definitions/any', type: 'string' } },
    }
    const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema }
    expect(createCheck(schema)({ a: 1 })).toHaveProperty('ok', false)
    expect(createCheck(draft07)({ a: 1 })).toHaveProperty('ok', true)
  })

  it('takes names that objects inherit for what they are', () => {
    const check = createCheck({
      properties: { constructor: { type: 'string' } },
      required: ['toString'],
      additionalProperties: { type: 'number' },
    })
    const problems = ['"toString" is missing.', '"__proto__" must be a number, but is an object.']
    expect(check(JSON.parse('{"__proto__":{"toString":1}}'))).toEqual({ ok: false, problems })
  })

  it('throws where the schema is at fault and no build has looked at it', () => {
    expect(() => createCheck({ $ref: '#/$defs/none' })({})).toThrow('Unresolved $ref')
  })
})
