import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isCatastrophic } from '../../../src/schema/regex-safety.ts'
import { toJsonSchema } from '../../../src/schema/print.ts'

describe('patterns that can take exponential time', () => {
  it.each([
    '(a+)+$',
    '^(\\d+)*$',
    '^(?:\\w+\\s?)*$',
    '^(?:[a-z]+-?)*$',
    '(.+\\.)*$',
    '^(([a-z])+.)+[A-Z]',
    '(a|a)*$',
    '(\\w|\\d)*$',
    '(a|aa)+$',
    '^(?:a|b|ab)*$',
    '(?:[a-z](?:[a-z])?)*$',
    '(a*)*$',
    '((ab)*)*$',
    '(?:(?:a+)?)*$',
    '(?<word>[\\p{L}]+)+$',
    '(?:(?=a)a+)+$',
    '(a{1,100}){1,100}$',
    '(x+x+)+y',
  ])('are found: %s', (pattern) => {
    expect(isCatastrophic(pattern)).toBe(true)
  })

  it.each([
    '^[a-z]+$',
    '^(\\w+\\.)*\\w+$',
    '^(a+b+)*$',
    '^(?:foo|far)*$',
    '^(?:[A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$',
    '^[A-Z]{2}\\d{2}(?: ?\\d{4})*$',
    '^(?:\\d+[.,])?\\d+$',
    '^(a(b)?)*$',
    '^\\((\\[\\d+\\])+\\)$',
    '^[(+)*]+$',
    '^(?:\\u{1F600}+,)*$',
    '(\\w+)\\s\\1',
    '',
  ])('are told from ordinary ones: %s', (pattern) => {
    expect(isCatastrophic(pattern)).toBe(false)
  })

  it.each([
    ['email', z.email()],
    ['uuid', z.uuid()],
    ['datetime', z.iso.datetime({ offset: true })],
    ['date', z.iso.date()],
    ['time', z.iso.time()],
    ['duration', z.iso.duration()],
    ['ipv4', z.ipv4()],
    ['ipv6', z.ipv6()],
    ['cidrv4', z.cidrv4()],
    ['cidrv6', z.cidrv6()],
    ['base64', z.base64()],
    ['base64url', z.base64url()],
    ['hostname', z.hostname()],
    ['emoji', z.emoji()],
    ['e164', z.e164()],
    ['ulid', z.ulid()],
    ['template literal', z.templateLiteral(['v', z.number(), '-', z.string()])],
  ])('are not what zod prints for %s', (_, schema) => {
    const { pattern } = toJsonSchema(schema, 'input')
    expect(pattern).toBeTypeOf('string')
    expect(isCatastrophic(String(pattern))).toBe(false)
  })
})
