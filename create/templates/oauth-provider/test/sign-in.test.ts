import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'

const url = 'http://localhost/mcp'
const callback = 'http://localhost:3000/callback'

test('a user who signs in may list the tools', async () => {
  const response = await exports.default.fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await signIn()}`,
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('"tools":[{')
})

/** Signs a user in as a browser and a client do, and returns the token for the server. */
async function signIn(): Promise<string> {
  const { origin } = new URL(url)
  const registered = await readJson(`${origin}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris: [callback], token_endpoint_auth_method: 'none' }),
    headers: { 'Content-Type': 'application/json' },
  })
  const client_id = String(registered['client_id'])
  const verifier = crypto.randomUUID() + crypto.randomUUID()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const asked = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'use',
    resource: url,
    state: 'state',
    code_challenge_method: 'S256',
    code_challenge: new Uint8Array(digest).toBase64({ alphabet: 'base64url', omitPadding: true }),
  })
  const authorize = `${origin}/authorize?${asked}`
  const page = await exports.default.fetch(authorize)
  const [, handle = ''] = (await page.text()).match(/name="handle" value="([^"]+)"/) ?? []
  const decided = await exports.default.fetch(authorize, {
    method: 'POST',
    body: new URLSearchParams({ handle, user: 'ada', decision: 'allow' }),
    headers: { Cookie: page.headers.get('Set-Cookie')?.split(';')[0] ?? '' },
    redirect: 'manual',
  })
  const code = new URL(decided.headers.get('Location') ?? '').searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', redirect_uri: callback, resource: url }
  const body = new URLSearchParams({ ...grant, client_id, code, code_verifier: verifier })
  const token = await readJson(`${origin}/oauth/token`, { method: 'POST', body })
  return String(token['access_token'])
}

async function readJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await exports.default.fetch(url, init)
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`)
  return response.json()
}
