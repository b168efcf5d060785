import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWranglerDev, type WranglerDev } from '../support/wrangler-dev.ts'

const root = join(import.meta.dirname, '../..')
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

let persist: string
let server: WranglerDev
let client: Client

// a shop of its own: the tools of the shared one are counted meanwhile
beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'feature-flag-'))
  server = await startWranglerDev({ persist })
  client = new Client(
    { name: 'blackbox', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
}, 90_000)

afterAll(async () => {
  await client.close()
  await server.stop()
  await rm(persist, { recursive: true, force: true, maxRetries: 3 })
})

/** Switches the flag as docs/notifications.md says, while the shop is open. */
async function switchTo(value: 'on' | 'off'): Promise<void> {
  const where = ['--binding=FLAGS', '--local', `--persist-to=${persist}`]
  const command = [wrangler, 'kv', 'key', 'put', 'gift_wrap', value, ...where]
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' }
  await promisify(execFile)(process.execPath, command, { cwd: root, env })
}

/** Does what the cron trigger does once a minute. */
async function passMinute(): Promise<void> {
  const response = await fetch(`${server.url}/cdn-cgi/local/scheduled`)
  expect(await response.text()).toBe('ok')
}

async function isListed(): Promise<boolean> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'bypass' })
  return tools.some(({ name }) => name === 'wrap_gift')
}

async function createBasket(): Promise<unknown> {
  const { structuredContent } = await client.callTool({ name: 'create_basket', arguments: {} })
  return Object(structuredContent).basket
}

describe('a tool behind a feature flag', () => {
  it('exists while the flag is on, and listeners are notified of each change', async () => {
    const basket = await createBasket()
    const wrap = () =>
      client.callTool({ name: 'wrap_gift', arguments: { basket, card: 'For Ida' } })
    let told = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      told += 1
    })
    const listening = await client.listen({ toolsListChanged: true })

    expect(await isListed()).toBe(false)
    await expect(wrap()).rejects.toSatisfy(
      (error) => error instanceof ProtocolError && error.code === -32602,
    )
    await passMinute()

    await switchTo('on')
    await passMinute()
    await expect.poll(() => told).toBe(1)
    expect(await isListed()).toBe(true)
    expect(await wrap()).toMatchObject({ structuredContent: { card: 'For Ida' } })
    const bill = await client.callTool({ name: 'view_basket', arguments: { basket } })
    expect(bill.structuredContent).toMatchObject({ card: 'For Ida' })

    // once more, for those who asked where the old value still was, and never again
    await passMinute()
    await expect.poll(() => told).toBe(2)
    await passMinute()

    await switchTo('off')
    expect(told).toBe(2)
    await passMinute()
    await expect.poll(() => told).toBe(3)
    expect(await isListed()).toBe(false)
    await listening.close()
  }, 60_000)
})
