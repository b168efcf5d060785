import { expect, test } from 'vitest'
import { createMask, readSecretValues } from '../../../src/out/mask.ts'

const key = 'sk_live_0123456789'

test('the secrets of an env are its strings without the vars, each part of a list too', () => {
  const env = {
    API_KEY: key,
    DATABASE: 'postgres://user:hunter2hunter2@db.example/shop',
    STATE_KEY: 'an-older-key-0123, a-newer-key-4567',
    WEATHER_API: 'https://weather.example',
    SHORT: 'prod',
    SEVEN: '7654321',
    EIGHT: '87654321',
    LIMITER: { limit: () => {} },
  }
  expect(readSecretValues(env, new Set(['WEATHER_API']))).toEqual([
    key,
    env.DATABASE,
    env.STATE_KEY,
    'an-older-key-0123',
    'a-newer-key-4567',
    '87654321',
  ])
})

test.each([
  ['a secret wherever it stands', `${key} and ${key}`, '[secret] and [secret]'],
  ['the longer of two that begin alike', `${key}-longer`, '[secret]'],
  ['a secret in a URL', 'https://a.example/?k=p%40ss%2Fword%3D1', 'https://a.example/?k=[secret]'],
  ['a secret in JSON', String.raw`{"k":"quote\"d\\secret"}`, '{"k":"[secret]"}'],
  ['a part of a secret stays', 'sk_live_', 'sk_live_'],
])('masks: %s', (_, text, masked) => {
  const mask = createMask([key, `${key}-longer`, 'p@ss/word=1', 'quote"d\\secret'])
  expect(mask(text)).toBe(masked)
})

test('a secret with half a surrogate pair in it is masked too', () => {
  expect(createMask(['\uD83Dsecret-12'])('x \uD83Dsecret-12')).toBe('x [secret]')
})
