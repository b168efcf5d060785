import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isCatastrophic } from '../../../../src/build/schema/pattern-safety.ts'
import { toJsonSchema } from '../../../../src/schema/to-json-schema.ts'

describe('isCatastrophic', () => {
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
    '^(\\d\\d|\\d\\d\\d)+$',
    '^(a{0,9}){9}b$',
    '^((a{1,9}){1,9}){1,9}b$',
    '^(?:a+){10}b$',
    '^(a|a){10}(a|a){10}(a|a){10}b$',
    `^${'(?:a|a)'.repeat(30)}b$`,
    `^${'a?'.repeat(30)}b$`,
    '^(?=(a+)+b)',
    '^(?!(a|a)*b)a',
    '(?<=^(a+)+)b',
    '^(abc|ab|c)*$',
    '^(aab|aa|b)*$',
    '^(a.|.b)*$',
    '^(a{1,5}|b)*c$',
    '^([a-z]{2}|[a-z]{3})*$',
    '^(?:hello|hel|lo)*$',
    '^(?:ab|cd|a|bc|d)*$',
    '^id-(\\d|\\d\\d)+$',
    '^(漢|漢)*$',
    '^(?i:a|A)*$',
    '^(a)(?:\\1|a)*$',
    '^.*.*.*.*.*.*x$',
    '^\\d*[0-9a-f]*\\w*[a-z0-9]*x$',
  ])('finds a pattern that can take too long: %s', (pattern) => {
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
    '^.+@.+\\..+$',
    '^.*,.*,.*$',
    '^\\s+|\\s+$',
    '^[A-Za-z0-9+/]*={0,2}$',
    '^(?=.*\\d)(?=.*[a-z]).{8,64}$',
    '^(?:[a-z]{1,63}\\.){1,8}[a-z]{2,63}$',
    '^(["`]).*\\1$',
    '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|$)){4}$',
    '^a{1000,2000}$',
    '',
  ])('accepts an ordinary pattern: %s', (pattern) => {
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
  ])('accepts the pattern that zod prints for %s', (_, schema) => {
    const { pattern } = toJsonSchema(schema, 'input')
    expect(pattern).toBeTypeOf('string')
    expect(isCatastrophic(String(pattern))).toBe(false)
  })
})
