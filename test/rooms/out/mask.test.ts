import { expect, test } from 'vitest'
import { SecretMask } from '../../../src/out/mask.ts'

const key = 'sk_live_0123456789'

test.each([
  ['a secret wherever it stands', `${key} and ${key}`, '[secret] and [secret]'],
  ['the longer of two that begin alike', `${key}-longer`, '[secret]'],
  ['a secret in a URL', 'https://a.example/?k=p%40ss%2Fword%3D1', 'https://a.example/?k=[secret]'],
  ['a secret that a URL escapes in part', '?k=p@ss%2fword=1', '?k=[secret]'],
  ['a secret in JSON', String.raw`{"k":"quote\"d\\secret"}`, '{"k":"[secret]"}'],
  [
    'a secret in JSON within JSON',
    String.raw`"{\"k\":\"quote\\\"d\\\\secret\"}"`,
    String.raw`"{\"k\":\"[secret]\"}"`,
  ],
  ['slashes as PHP prints them', String.raw`{"k":"p@ss\/word=1"}`, '{"k":"[secret]"}'],
  ['a line break', 'first-line\nsecond-line', '[secret]'],
  ['a line break in JSON', String.raw`first-line\nsecond-line`, '[secret]'],
  ['a form', 'k=two+words&l=two%20words', 'k=[secret]&l=[secret]'],
  [
    'other letters',
    String.raw`schlüssel, schl%C3%BCssel, schl\u00fcssel`,
    '[secret], [secret], [secret]',
  ],
  ['a part of a secret stays', 'sk_live_', 'sk_live_'],
])('masks: %s', (_, text, masked) => {
  const secrets = [key, `${key}-longer`, 'p@ss/word=1', 'quote"d\\secret', 'two words', 'schlüssel']
  const mask = new SecretMask([...secrets, 'first-line\nsecond-line'])
  expect(mask.mask(text)).toBe(masked)
  expect(mask.isClean(text)).toBe(masked === text)
})

test('the password of a URL is masked whatever it is, so that no guess is confirmed', () => {
  const mask = new SecretMask(['redis://user:pass@host/1', 'redis://user:pass@host'])
  expect(mask.mask('redis://user:pass@host/1')).toBe('[secret]')
  expect(mask.mask('redis://user:pass@host/2')).toBe('[secret]/2')
  expect(mask.mask('redis://user:guess@host/1')).toBe('[secret]')
  expect(mask.mask('redis%3A%2F%2Fuser%3Apass%40host%2F1')).toBe('[secret]')
  expect(mask.mask('redis://user@host/1, redis://other:pass@host')).toBe(
    'redis://user@host/1, redis://other:pass@host',
  )
})

test('reports what was masked, and finds without reporting', () => {
  const masked: string[] = []
  const mask = new SecretMask([key, 'p@ss/word=1'], (secret) => masked.push(secret))
  expect(mask.find(`a ${key}`)).toEqual([key])
  expect(masked).toEqual([])
  mask.mask(`a ${key} b`)
  expect(masked).toEqual([key])
})

test('a long text of beginnings takes no longer than other text', () => {
  const mask = new SecretMask(['redis://user:pass@host/1'])
  const text = 'redis://user:'.repeat(50_000)
  const began = performance.now()
  expect(mask.mask(text)).toBe(text)
  expect(performance.now() - began).toBeLessThan(2_000)
})
