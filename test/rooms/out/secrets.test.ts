import { describe, expect, test } from 'vitest'
import { type SecretRules, checkSecretNames, findSecrets } from '../../../src/out/secrets.ts'

const none: SecretRules = { vars: [], secrets: [], public: [] }

function find(text: string, name = 'SETTING'): readonly string[] {
  return [...findSecrets({ [name]: text }, none).keys()]
}

test.each([
  'production',
  'true',
  '1234',
  '12345678',
  '123456789012345678901',
  'eu-central-1',
  'https://app.example.com',
  'https://api.example.com/v1/orders?limit=10&currency=EUR',
  'https://login.example.com/123e4567-e89b-12d3-a456-426614174000/v2.0',
  'https://cdn.example.com/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css',
  'https://shop-api-v2.eu-west-1.prod.example.internal:8443/graphql',
  'shop@example.com',
  'Shop <noreply@shop.example.com>',
  'Europe/Berlin',
  '2026-11-30T21:35:50Z',
  '123e4567-e89b-12d3-a456-426614174000',
  'db-primary.internal.example.com:5432',
  'postgres://db.internal:5432/shop',
  '/var/data/shop/products.json',
  'arn:aws:iam::123456789012:role/my-role',
  'gpt-4o-mini-2024-07-18',
  'claude-3-5-sonnet-20241022,gpt-4o',
  '@cf/meta/llama-3.1-8b-instruct-fp8',
  'eur-accounts,usd-accounts,production',
  'myproductionserver01',
  'enableNewCheckoutFlowForBeta',
  'acme_shop_prod_2024_q3',
  'The quick brown fox jumps over the lazy dog, twice a day.',
  '{"currency":"EUR","limits":[1,2,3],"hosts":["a.example.com","production"]}',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1',
  'Password1234',
  'password12345678',
])('does not look like a credential: %s', (text) => {
  expect(find(text)).toEqual([])
})

test.each([
  'sk_live_0123456789abcdef',
  'sk-proj-aB3dE5fG7hI9jK1lM3nO5',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'glpat-XyZ_12abCDef34ghIJkl',
  'AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  'q7w9e2r4t6y8u1i3',
  'K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
])('looks like a credential: %s', (text) => {
  expect(find(text)).toEqual([text])
})

test.each([
  ['AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['DB_PASSWORD', 'S3cr3t!P@ssw0rd'],
  ['apiKey', 'super-secret-value-12345'],
  ['API_KEY', '123e4567-e89b-12d3-a456-426614174000'],
])('%s is the name of a credential', (name, text) => {
  expect(find(text, name)).toContain(text)
  expect(find(text, `${name}_TITLE`)).toEqual([])
})

test.each([
  ['TOKEN_URL', 'https://auth.example.com/oauth2/v2/token'],
  ['TOKEN', 'https://auth.example.com/oauth2/v2/token'],
  ['SORT_KEY', 'customer-region-id'],
  // a dictionary has them, so that masking them would confirm a guess
  ['DB_PASSWORD', 'hunter2hunter2'],
  ['DB_PASSWORD', 'Password1234'],
])('the name of a credential is not enough: %s, %s', (name, text) => {
  expect(find(text, name)).toEqual([])
})

const token = 'aB3dE5fG7hI9jK1lM3nO5'

test.each([
  ['a token in a URL', `https://api.example.com/v1?key=${token}`, [token]],
  ['a token in a path', `https://hooks.example.com/services/T00/B00/${token}`, [token]],
  ['a header', `Bearer ${token}`, [token]],
  ['a list, such as old and new keys', `${token},zY8xW6vU4tS2rQ0pO9nM7`, [token]],
  ['a part after a name', `AccountName=x;AccountKey=${token}==;`, [`${token}==`]],
  ['JSON', `{"type":"service_account","key_id":"${token}","at":"production"}`, [token]],
  ['a password in JSON', '{"user":"shop","password":"S3cr3t!P@ssw0rd"}', ['S3cr3t!P@ssw0rd']],
])('a credential within a value is a secret, and the whole: %s', (_, text, parts) => {
  const found = find(text)
  expect(found).toEqual(expect.arrayContaining([text, ...parts]))
  expect(found).not.toContain('production')
  expect(found).not.toContain('service_account')
})

test('a PEM key is a secret as a whole and line by line', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
  const pem = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----`
  expect(find(`${pem}\n`)).toEqual([pem, line])
})

test('a PEM key in one line, with escapes for line breaks, is a secret line by line', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
  const pem = `-----BEGIN PRIVATE KEY-----\\n${line}\\r\\n${line}\\n-----END PRIVATE KEY-----\\n`
  expect(find(pem)).toEqual([pem, line])
})

test.each([
  'Server=tcp:db.example.net,1433;User ID=sa;Password=Xk29-fjQpLz77w;Encrypt=true',
  'host=db.internal user=shop password=Xk29-fjQpLz77w dbname=shop',
  'https://api.example.com/hook?user=shop&api_key=Xk29-fjQpLz77w',
  'redis://cache.internal:6379?password=Xk29-fjQpLz77w',
])('a credential is known by its name within a value: %s', (text) => {
  expect(find(text)).toEqual([text, 'Xk29-fjQpLz77w'])
})

test('a password of a URL is a secret as the URL escapes it, and as a driver reads it', () => {
  const found = find('postgres://shop:p%40ss%2Fw0rd%21Zq9@db.internal/shop')
  expect(found).toEqual(expect.arrayContaining(['p%40ss%2Fw0rd%21Zq9', 'p@ss/w0rd!Zq9']))
  const raw = find('postgres://shop:p@ssw0rd!Zq9@db.internal/shop')
  expect(raw).toEqual(
    expect.arrayContaining(['p@ssw0rd!Zq9', 'postgres://shop:p@ssw0rd!Zq9@db.internal']),
  )
})

test('a URL with a password is a secret up to its host and as a whole', () => {
  expect(find('postgres://user:pass@host/db')).toEqual([
    'postgres://user:pass@host/db',
    'postgres://user:pass@host',
  ])
  expect(find('postgres://user:S3cr3t!P4ssw0rdX@host/db')).toContain('S3cr3t!P4ssw0rdX')
})

describe('names', () => {
  const env = {
    KEY: token,
    APP_URL: `https://a.example/${token}`,
    CODE: 'plain-words-here',
    PIN: '1234',
  }

  test('[vars] and `public` are no secrets, `secrets` are whatever they look like', () => {
    expect([...findSecrets(env, { vars: ['KEY'], secrets: [], public: ['APP_URL'] })]).toEqual([])
    const named = findSecrets(env, {
      vars: ['CODE'],
      secrets: ['CODE'],
      public: ['APP_URL', 'KEY'],
    })
    expect([...named]).toEqual([['plain-words-here', 'CODE']])
  })

  test('a secret that several values contain has the first name', () => {
    expect(findSecrets(env, none).get(token)).toBe('KEY')
  })

  test.each([
    ['NONE', /no text with that name.*wrangler secret put/],
    ['STORE', /Secrets Store/],
    ['PIN', /too short or too simple.*guesses/],
    ['SAME', /too short or too simple/],
    ['DIGITS', /too short or too simple/],
    ['BOTH', /`secrets` names "BOTH", and so does `public`/],
  ])('`secrets` cannot name %s', (name, sentence) => {
    const bindings = { ...env, STORE: {}, SAME: 'a'.repeat(40), DIGITS: '123456789', BOTH: token }
    const rules = { vars: [], secrets: ['KEY', 'CODE', name], public: ['BOTH'] }
    expect(() => checkSecretNames(bindings, rules)).toThrow(sentence)
    // the sentence is in the log of every start
    expect(() => checkSecretNames(bindings, rules)).toThrow(/^(?!.*(?:1234|aaaa))/s)
    expect(() => checkSecretNames({}, rules)).not.toThrow()
  })
})
