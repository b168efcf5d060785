import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOAuthClient, type OAuthClient } from '../support/oauth-client.ts'
import { signIn, type Decision } from '../support/sign-in.ts'
import { startWranglerDev, type WranglerDev } from '../support/wrangler-dev.ts'

let server: WranglerDev
beforeAll(async () => {
  server = await startWranglerDev({ cwd: join(import.meta.dirname, '../authorized') })
}, 90_000)
afterAll(() => server.stop())

describe('the official client and a server that is its own authorization server', () => {
  it('is asked to sign in with the scopes for reading', async () => {
    const { oauth, challenges } = await knock()
    expect(challenges).toEqual([
      `401 Bearer realm="OAuth", resource_metadata="${server.url}/.well-known/` +
        'oauth-protected-resource/mcp", scope="notes:read"',
    ])
    const [page] = oauth.pages
    expect(page?.href).toContain(`${server.url}/authorize?`)
    expect(Object.fromEntries(page?.searchParams ?? [])).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'notes:read',
      resource: `${server.url}/mcp`,
    })
  })

  it('lists and calls the tools that the first sign-in allows', async () => {
    const { client, oauth } = await enter()
    expect(await oauth.tokens()).toMatchObject({ scope: 'notes:read' })
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    const { tools, cacheScope } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['list_notes'])
    expect(cacheScope).toBe('private')
    expect(await call(client, 'list_notes')).toEqual({ of: 'ada', notes: [] })
  })

  it('requests more scopes when a tool needs them, and keeps the earlier ones', async () => {
    const { client, transport, oauth, challenges } = await enter({ user: 'grace' })
    const note = { text: 'Found a moth in the relay.' }
    await expect(call(client, 'write_note', note)).rejects.toBeInstanceOf(UnauthorizedError)
    expect(challenges.at(-1)).toBe(
      '403 Bearer error="insufficient_scope", error_description="The token does not allow this.", ' +
        `scope="notes:write", resource_metadata="${server.url}/.well-known/` +
        'oauth-protected-resource/mcp"',
    )
    const page = oauth.pages.at(-1)
    expect(page?.searchParams.get('scope')).toBe('notes:read notes:write')

    await transport.finishAuth(await signIn(page, { user: 'grace' }))
    expect(await call(client, 'write_note', note)).toEqual({ count: 1 })
    expect(await call(client, 'list_notes')).toEqual({ of: 'grace', notes: [note.text] })
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' })
    expect(tools.map(({ name }) => name)).toEqual(['list_notes', 'write_note'])
  })

  it('sees only the notes of its own user', async () => {
    const { client, transport, oauth } = await enter({ user: 'mary' })
    const note = { text: 'It lives.' }
    await expect(call(client, 'write_note', note)).rejects.toBeInstanceOf(UnauthorizedError)
    await transport.finishAuth(await signIn(oauth.pages.at(-1), { user: 'mary' }))
    await call(client, 'write_note', note)
    const again = await enter({ user: 'mary' })
    expect(await call(again.client, 'list_notes')).toEqual({ of: 'mary', notes: [note.text] })
    const other = await enter({ user: 'percy' })
    expect(await call(other.client, 'list_notes')).toEqual({ of: 'percy', notes: [] })
  })

  it("is refused in a page of another origin, whatever the provider's preflight allowed", async () => {
    const { oauth } = await enter()
    const { access_token: token } = (await oauth.tokens()) ?? {}
    const headers = { Origin: 'https://elsewhere.example', Authorization: `Bearer ${token}` }
    const { status } = await fetch(`${server.url}/mcp`, { method: 'POST', headers })
    expect(status).toBe(403)
  })

  it('receives no token if its user refuses', async () => {
    const { transport, oauth } = await knock()
    const answer = await signIn(oauth.pages[0], { decision: 'deny' })
    expect(answer.get('error')).toBe('access_denied')
    expect(answer.get('state')).toBe(oauth.pages[0]?.searchParams.get('state'))
    await expect(transport.finishAuth(answer)).rejects.toThrow('access_denied')
    expect(await oauth.tokens()).toBeUndefined()
  })

  it('cannot inject HTML into the consent page', async () => {
    const { oauth } = await knock('<script>alert(1)</script>')
    const html = await (await fetch(oauth.pages[0] ?? '')).text()
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    expect(html).not.toContain('<script>')
    expect(html).toContain('<strong>127.0.0.1</strong>')
  })
})

interface Visit {
  readonly transport: StreamableHTTPClientTransport
  readonly oauth: OAuthClient
  /** What the server asked for: statuses and `WWW-Authenticate` headers. */
  readonly challenges: readonly string[]
}

/** Connects as a client without a token, which is sent away to sign its user in. */
async function knock(name = 'Notebook'): Promise<Visit> {
  const oauth = createOAuthClient(name)
  const challenges: string[] = []
  const transport = openTransport(oauth, challenges)
  await expect(connect(transport)).rejects.toBeInstanceOf(UnauthorizedError)
  return { transport, oauth, challenges }
}

/** Connects as a client whose user has signed in for what the server asked for. */
async function enter(decision: Decision = {}): Promise<Visit & { readonly client: Client }> {
  const { transport: before, oauth } = await knock()
  await before.finishAuth(await signIn(oauth.pages[0], decision))
  const challenges: string[] = []
  const transport = openTransport(oauth, challenges)
  return { client: await connect(transport), transport, oauth, challenges }
}

function openTransport(oauth: OAuthClient, challenges: string[]): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    authProvider: oauth,
    async fetch(...request) {
      const response = await fetch(...request)
      const challenge = response.headers.get('WWW-Authenticate')
      if (challenge !== null) challenges.push(`${response.status} ${challenge}`)
      return response
    },
  })
}

async function connect(transport: StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client(
    { name: 'notebook', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(transport)
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  return (await client.callTool({ name, arguments: args })).structuredContent
}
