import { describe, expect, test } from 'vitest'
import { readAudience, toAudience, type Audience } from '../../../src/cache/audience.ts'
import type { Caller } from '../../../src/wire/caller.ts'

const ada: Caller = { subject: 'ada', scopes: ['shop:read'], claims: { tier: 'gold' } }
const full: Caller = {
  ...ada,
  issuer: 'https://auth.example',
  client: 'editor',
  expires: 1_800_000_000_000,
}

test('what is for everybody is told of nobody', () => {
  expect(toAudience(true, ada)).toEqual({})
  expect(toAudience(true, null)).toEqual({})
})

test('what is for one caller is told all of who asks, or that it is nobody', () => {
  expect(toAudience(false, ada)).toEqual({ caller: ada })
  expect(toAudience(false, null)).toEqual({ caller: null })
})

test.each<[Audience]>([
  [{}],
  [{ caller: null }],
  [{ caller: ada }],
  [{ caller: full }],
  [{ visible: [] }],
  [{ visible: ['shop://a'] }],
  [{ caller: full, visible: ['shop://a', 'shop://b'] }],
])('%j comes back as it was, as props of an entrypoint', (audience) => {
  const read = readAudience(structuredClone(audience))
  // not the same key: nobody is somebody else than everybody
  expect(read).toStrictEqual(audience)
})

test('nothing else comes along', () => {
  expect(readAudience({ caller: null, token: 'secret', scopes: ['shop:write'] })).toEqual({
    caller: null,
  })
})

describe('props that no audience ever was', () => {
  test.each([[undefined], [null], ['ada'], [5], [[]]])('%j are none', (props) => {
    expect(readAudience(props)).toBeNull()
  })

  test.each([
    ['ada'],
    [[]],
    [{}],
    [{ ...ada, subject: undefined }],
    [{ ...ada, subject: 5 }],
    [{ ...ada, issuer: null }],
    [{ ...ada, client: 5 }],
    [{ ...ada, scopes: 'shop:read' }],
    [{ ...ada, scopes: [5] }],
    [{ ...ada, claims: null }],
    [{ ...ada, claims: [] }],
    [{ ...ada, expires: 'tomorrow' }],
  ])('have %j for a caller', (caller) => {
    expect(readAudience({ caller })).toBeNull()
  })

  test.each([[null], ['shop://a'], [{}], [[5]], [['shop://a', null]]])(
    'have %j for what may be seen',
    (visible) => {
      expect(readAudience({ visible })).toBeNull()
    },
  )
})
