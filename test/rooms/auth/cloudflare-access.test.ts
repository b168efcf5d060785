import { afterEach, expect, test, vi } from 'vitest'
import type { Authenticated } from '../../../src/define/authenticator.ts'
import { access } from '../../../src/auth/cloudflare-access.ts'
import { arrive, arriveWith, resource } from './arrival.ts'
import { createIssuer, type Claims } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const options = { team: 'bakers', audience: 'f00d' }

/** Has an assertion of Cloudflare Access judged. */
async function judge(claims: Claims, header = {}): Promise<Authenticated> {
  const team = await createIssuer('https://bakers.cloudflareaccess.com', 'RS256')
  const certs = `${team.url}/cdn-cgi/access/certs`
  team.answers.set(certs, () => Response.json({ keys: team.keys, public_certs: [] }))
  const token = await team.sign({ aud: ['f00d'], ...claims }, { typ: 'JWT', ...header })
  const headers = { 'Cf-Access-Jwt-Assertion': token }
  return access(options).authenticate(arrive({ headers }))
}

test('knows whom Access signed in', async () => {
  expect(await judge({ email: 'ada@example.com' })).toMatchObject({
    kind: 'caller',
    caller: { subject: 'ada', claims: { email: 'ada@example.com' } },
  })
})

test('a service token is known by its name', async () => {
  expect(await judge({ sub: '', common_name: 'e367.access' })).toMatchObject({
    caller: { subject: 'e367.access' },
  })
  expect(await judge({ sub: '' })).toMatchObject({ kind: 'refused' })
})

test.each<[string, Claims]>([
  ['another application', { aud: ['beef'] }],
  ['another team', { iss: 'https://thieves.cloudflareaccess.com' }],
  ['the past', { exp: 1 }],
])('refuses an assertion of %s', async (_, claims) => {
  expect(await judge(claims)).toMatchObject({ kind: 'refused' })
})

test('a request that went around Access is from nobody', async () => {
  const auth = access(options)
  expect(await auth.authenticate(arrive())).toEqual({ kind: 'anonymous' })
  // and no other header stands in for the assertion
  expect(await auth.authenticate(arriveWith('e30.e30.AA'))).toEqual({ kind: 'anonymous' })
})

test('nobody can tell while the keys are out of reach', async () => {
  await createIssuer('https://auth.example')
  const headers = { 'Cf-Access-Jwt-Assertion': 'e30.e30.AA' }
  const authenticating = access(options).authenticate(arrive({ headers }))
  await expect(authenticating).rejects.toThrow('/cdn-cgi/access/certs answered 404')
})

test('clients are not sent anywhere: Access signs them in by itself', () => {
  expect(access(options).authorizationServers(resource)).toEqual([])
})

test.each(['', 'bakers.cloudflareaccess.com', 'evil.example/#', 'a b'])(
  'says at start that %j is no team',
  (team) => {
    expect(() => access({ ...options, team })).toThrow('is not a team of Cloudflare Access')
  },
)
