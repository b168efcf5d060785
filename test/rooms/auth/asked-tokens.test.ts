import { afterEach, expect, test, vi } from 'vitest'
import type { AuthResult } from '../../../src/define/authenticator.ts'
import { RefusalLimit } from '../../../src/auth/request/request-limit.ts'
import { AskedTokens } from '../../../src/auth/tokens/asked-tokens.ts'
import { createAuthContext } from './auth-context.ts'

afterEach(() => {
  vi.useRealTimers()
})

const good: AuthResult = { kind: 'caller', caller: { subject: 'ada', scopes: [], claims: {} } }
const refused: AuthResult = { kind: 'refused', why: 'The token is not active.' }

/** A remote service that takes some time, and counts its questions. */
function createService(answer: (token: string) => AuthResult) {
  const asked: string[] = []
  const tokens = new AskedTokens()
  const refusals = new RefusalLimit({ window: undefined, allowsAnonymous: false })
  const find = async (token: string, address = '192.0.2.1'): Promise<AuthResult> => {
    const context = createAuthContext({ headers: { 'CF-Connecting-IP': address }, refusals })
    return tokens.find(token, context, async () => {
      asked.push(token)
      await scheduler.wait(20)
      return answer(token)
    })
  }
  return { asked, find }
}

const passTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

test.each([
  ['good', good],
  ['refused', refused],
])('parallel requests with one token that is %s ask once', async (_, result) => {
  const { asked, find } = createService(() => result)
  expect(await Promise.all(times(50, () => find('token')))).toEqual(times(50, () => result))
  expect(asked).toEqual(['token'])
})

test('parallel requests of several addresses with one token ask once', async () => {
  const { asked, find } = createService(() => refused)
  await Promise.all(times(50, (index) => find('token', `192.0.2.${index}`)))
  expect(asked).toEqual(['token'])
})

test('parallel requests with one token hear of one failure, and the next request asks again', async () => {
  let isDown = true
  const { asked, find } = createService(() => {
    if (isDown) throw new Error('The service is down.')
    return good
  })
  const results = await Promise.allSettled(times(50, () => find('token')))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(asked).toEqual(['token'])
  isDown = false
  expect(await find('token')).toEqual(good)
})

test('a question that never ends is asked again by the next request', async () => {
  const tokens = new AskedTokens()
  const context = createAuthContext()
  void tokens.find('token', context, () => new Promise(() => {}))
  passTime(8_001)
  expect(await tokens.find('token', context, async () => good)).toEqual(good)
})

test('a refused token is refused for 30 seconds without a question', async () => {
  const { asked, find } = createService(() => refused)
  await find('token')
  expect(await find('token')).toEqual(refused)
  expect(asked).toHaveLength(1)
  passTime(30_001)
  expect(await find('token')).toEqual(refused)
  expect(asked).toHaveLength(2)
})

test('a thousand refused tokens evict no good one', async () => {
  const { asked, find } = createService((token) => (token === 'good' ? good : refused))
  await find('good')
  await Promise.all(times(1_001, (index) => find(`bad-${index}`, `192.0.2.${index}`)))
  asked.length = 0
  expect(await find('good')).toEqual(good)
  expect(asked).toEqual([])
})

test('an address of which 30 tokens were refused asks no more for a minute', async () => {
  const { asked, find } = createService((token) => (token.startsWith('good') ? good : refused))
  await find('good')
  const results = await Promise.allSettled(times(100, (index) => find(`bad-${index}`)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(70)
  expect(asked).toHaveLength(31)
  await expect(find('good-2')).rejects.toMatchObject({
    failure: { kind: 'rate-limited', headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
  })
  // what is known needs no question, and another address has its own count
  expect(await find('good')).toEqual(good)
  expect(await find('bad-1')).toEqual(refused)
  expect(await find('good-3', '192.0.2.2')).toEqual(good)
  passTime(60_001)
  expect(await find('good-2')).toEqual(good)
})

test('a hundred good tokens of one address are all asked about', async () => {
  const { asked, find } = createService(() => good)
  expect(await Promise.all(times(100, (index) => find(`good-${index}`)))).toEqual(
    times(100, () => good),
  )
  expect(asked).toHaveLength(100)
})

test('a token that an address may not ask about is asked about by another address', async () => {
  const { asked, find } = createService((token) => (token === 'good' ? good : refused))
  await Promise.all(times(30, (index) => find(`bad-${index}`)))
  asked.length = 0
  const results = await Promise.allSettled([find('good'), find('good', '192.0.2.2')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(asked).toEqual(['good'])
})
