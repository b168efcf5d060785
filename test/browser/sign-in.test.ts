import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOAuthClient, type OAuthClient } from '../support/oauth-client.ts'
import { startWranglerDev, type WranglerDev } from '../support/wrangler-dev.ts'
import { openBrowser } from './open-browser.ts'

/* The sign-in page of test/authorized, with a real browser and the official client. */

let server: WranglerDev
let browser: Browser
let page: Page
/** The client's own page, to which the browser is sent back. */
let callback: Server
let redirectUrl: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startWranglerDev({ cwd: join(import.meta.dirname, '../authorized') }),
    openBrowser(),
  ])
  callback = createServer((_, response) => response.end('You may close this window.'))
  await once(callback.listen(0, '127.0.0.1'), 'listening')
  redirectUrl = `http://127.0.0.1:${toPort(callback)}/callback`
}, 90_000)
afterAll(async () => {
  await Promise.all([browser?.close(), server?.stop()])
  callback?.close()
})
beforeEach(async () => {
  page = await browser.newPage()
  return () => page.close()
})

function toPort(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return address.port
}

/** Connects without a token, and opens the page to which the client sends its user. */
async function openSignIn(name = 'Notebook'): Promise<OAuthClient> {
  const oauth = createOAuthClient(name, redirectUrl)
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    authProvider: oauth,
  })
  await expect(connect(transport)).rejects.toBeInstanceOf(UnauthorizedError)
  await page.goto(String(oauth.pages[0]))
  return oauth
}

async function connect(transport: StreamableHTTPClientTransport): Promise<Client> {
  const options = { versionNegotiation: { mode: 'auto' } } as const
  const client = new Client({ name: 'notebook', version: '1.0.0' }, options)
  await client.connect(transport)
  return client
}

test('a user who allows it lets the client call tools', async () => {
  const oauth = await openSignIn()
  await expect.poll(() => page.title()).toBe('Sign in')
  expect(await page.getByRole('heading').innerText()).toBe('Let Notebook use your notes?')
  expect(await page.innerText('body')).toContain('Nobody has checked its name.')
  await page.getByLabel('Your name').fill('grace')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${redirectUrl}*`)

  const finish = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    authProvider: oauth,
  })
  await finish.finishAuth(new URL(page.url()).searchParams)
  const client = await connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: oauth }),
  )
  const { structuredContent } = await client.callTool({ name: 'list_notes', arguments: {} })
  expect(structuredContent).toEqual({ of: 'grace', notes: [] })
  await client.close()
})

test('a user who refuses sends the client back without a code', async () => {
  await openSignIn()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${redirectUrl}*`)
  const { searchParams } = new URL(page.url())
  expect(searchParams.get('error')).toBe('access_denied')
  expect(searchParams.get('code')).toBeNull()
})

test('the browser does not accept a name of other characters', async () => {
  await openSignIn()
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Allow' }).click()
  expect(await page.getByLabel('Your name').evaluate((input) => input.matches(':invalid'))).toBe(
    true,
  )
  expect(page.url()).toContain(server.url)
})

test('the name of a client is text, and the page has no scripts and cannot be framed', async () => {
  const name = '<img src=x onerror="document.title=1">'
  await openSignIn(name)
  expect(await page.getByRole('heading').innerText()).toBe(`Let ${name} use your notes?`)
  expect(await page.title()).toBe('Sign in')
  const response = await page.reload()
  const { 'content-security-policy': policy } = response?.headers() ?? {}
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
})

test('the page can be read on a phone, and with the keyboard alone', async () => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openSignIn()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(360)
  await page.keyboard.press('Tab')
  await page.keyboard.type('mary')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${redirectUrl}*`)
  expect(new URL(page.url()).searchParams.get('code')).not.toBeNull()
})
