/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { toModernRequest } from '../support/modern-request.ts'
import worker from './worker.ts'

/* A client that is known by a document at its own URL (basic/authorization/client-registration). */

const origin = 'https://notes.example'
const clientId = 'https://client.example/client.json'
const redirect = 'https://client.example/callback'
const document = { client_id: clientId, client_name: 'Notebook', redirect_uris: [redirect] }

afterEach(() => vi.restoreAllMocks())

async function send(sent: Request): Promise<Response> {
  const ctx = createExecutionContext()
  const request = new Request<unknown, IncomingRequestCfProperties>(sent)
  const response = await worker.fetch(request, env, ctx)
  await waitOnExecutionContext(ctx)
  return response
}

/** Serves a document at the URL that is the id of the client. */
function publish(served: object): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { url } = new Request(input)
    return url === clientId ? Response.json(served) : new Response(null, { status: 404 })
  })
}

async function toAuthorizeUrl(verifier: string): Promise<URL> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = new Uint8Array(digest).toBase64({ alphabet: 'base64url', omitPadding: true })
  const url = new URL(`${origin}/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: 'notes:read',
    resource: `${origin}/mcp`,
    state: 'abc',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()
  return url
}

test('the metadata of the authorization server says that such clients are accepted', async () => {
  const url = `${origin}/.well-known/oauth-authorization-server`
  const metadata = JSON.parse(await (await send(new Request(url))).text())
  expect(metadata).toMatchObject({ client_id_metadata_document_supported: true })
})

test('its user signs in, and it calls tools with the token', async () => {
  publish(document)
  const verifier = 'v'.repeat(50)
  const url = await toAuthorizeUrl(verifier)
  const page = await send(new Request(url))
  const html = await page.text()
  expect(html).toContain('Let Notebook use your notes?')
  expect(html).toContain('It is published at <strong>client.example</strong>.')

  const [, handle = ''] = /name="handle" value="([^"]+)"/.exec(html) ?? []
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  const decided = await send(
    new Request(url, {
      method: 'POST',
      headers: { Cookie: cookies.join('; '), Origin: origin },
      body: new URLSearchParams({ handle, user: 'ada', decision: 'allow' }),
    }),
  )
  const back = new URL(decided.headers.get('Location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe(redirect)

  const issued = await send(
    new Request(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        client_id: clientId,
        redirect_uri: redirect,
        code_verifier: verifier,
        resource: `${origin}/mcp`,
      }),
    }),
  )
  const { access_token: token } = JSON.parse(await issued.text())
  // a slow machine would get a stream
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  const call = { name: 'list_notes', arguments: {} }
  const called = await send(toModernRequest(`${origin}/mcp`, 'tools/call', call, { headers }))
  expect(JSON.parse(await called.text())).toMatchObject({
    result: { structuredContent: { of: 'ada', notes: [] } },
  })
})

test.each([
  ['is of another client', { ...document, client_id: 'https://other.example/client.json' }],
  ['names another redirect', { ...document, redirect_uris: ['https://client.example/other'] }],
  ['is something else', { error: 'not found' }],
])('a document that %s lets nobody sign in', async (_, served) => {
  publish(served)
  const response = await send(new Request(await toAuthorizeUrl('v'.repeat(50))))
  expect(response.status).toBe(400)
  expect(await response.text()).not.toContain('name="handle"')
})
