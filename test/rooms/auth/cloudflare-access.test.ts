import { afterEach, expect, test, vi } from 'vitest'
import type { AuthResult } from '../../../src/define/authenticator.ts'
import { cloudflareAccess } from '../../../src/auth/cloudflare-access.ts'
import { createAuthContext, createBearerContext, resource } from './auth-context.ts'
import { createIssuer, type Claims } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const options = { team: 'bakers', audience: 'f00d' }

/** Authenticates a request with an assertion of Cloudflare Access. */
async function authenticate(claims: Claims, header = {}): Promise<AuthResult> {
  const team = await createIssuer('https://bakers.cloudflareaccess.com', 'RS256')
  const certs = `${team.url}/cdn-cgi/access/certs`
  team.answers.set(certs, () => Response.json({ keys: team.keys, public_certs: [] }))
  const token = await team.sign({ aud: ['f00d'], ...claims }, { typ: 'JWT', ...header })
  const headers = { 'Cf-Access-Jwt-Assertion': token }
  return cloudflareAccess(options).authenticate(createAuthContext({ headers }))
}

test('returns the caller who signed in to Access', async () => {
  expect(await authenticate({ email: 'ada@example.com' })).toMatchObject({
    kind: 'caller',
    caller: { subject: 'ada', claims: { email: 'ada@example.com' } },
  })
})

test('uses the name of a service token as its subject', async () => {
  expect(await authenticate({ sub: '', common_name: 'e367.access' })).toMatchObject({
    caller: { subject: 'e367.access' },
  })
  expect(await authenticate({ sub: '' })).toMatchObject({ kind: 'refused' })
})

test.each<[string, Claims]>([
  ['for another application', { aud: ['beef'] }],
  ['of another team', { iss: 'https://thieves.cloudflareaccess.com' }],
  ['that has expired', { exp: 1 }],
])('refuses an assertion %s', async (_, claims) => {
  expect(await authenticate(claims)).toMatchObject({ kind: 'refused' })
})

test('treats a request without an assertion as anonymous, whatever other credentials it has', async () => {
  const auth = cloudflareAccess(options)
  expect(await auth.authenticate(createAuthContext())).toEqual({ kind: 'anonymous' })
  expect(await auth.authenticate(createBearerContext('e30.e30.AA'))).toEqual({ kind: 'anonymous' })
})

test('throws if the keys of Access cannot be fetched', async () => {
  await createIssuer('https://auth.example')
  const headers = { 'Cf-Access-Jwt-Assertion': 'e30.e30.AA' }
  const authenticating = cloudflareAccess(options).authenticate(createAuthContext({ headers }))
  await expect(authenticating).rejects.toThrow('/cdn-cgi/access/certs returned status 404')
})

test('has no authorization server, as Access itself signs clients in', () => {
  expect(cloudflareAccess(options).authorizationServers(resource)).toEqual([])
})

test.each(['', 'bakers.cloudflareaccess.com', 'evil.example/#', 'a b'])(
  'throws at start if the team is %j',
  (team) => {
    expect(() => cloudflareAccess({ ...options, team })).toThrow(
      'is not the name of a Cloudflare Access team',
    )
  },
)
