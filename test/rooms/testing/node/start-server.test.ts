import { join } from 'node:path'
import { ClientError, connect, type TestClient, ToolError } from 'helve/testing'
import { startServer, type TestServer } from 'helve/testing/node'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Definitions } from '../../../../.helve/registry.ts'

let server: TestServer<Definitions>

beforeAll(async () => {
  server = await startServer<Definitions>({ vars: { WEATHER_API: 'http://127.0.0.1:1' } })
})
afterAll(() => server.close())

test('calls the tools of the bundled Worker, with handles and questions', async () => {
  const client = connect(server, { answers: { confirm: { pay: true } } })
  const { basket } = (await client.tools.create_basket({ currency: 'EUR' })).value
  await client.tools.add_item({ basket, sku: 'KN-101' })
  expect((await client.tools.checkout({ basket })).value.total).toBe(89)
})

test('moves the time of handles', async () => {
  const client = connect(server)
  const { basket } = (await client.tools.create_basket({ currency: 'EUR' })).value
  await server.advance('27h')
  await expect(client.tools.view_basket({ basket })).rejects.toThrow(ToolError)
})

test('has the bindings of the configuration', async () => {
  const env = await server.getEnv()
  await env.FLAGS.put('gift_wrap', 'on')
  expect(env.WEATHER_API).toBe('http://127.0.0.1:1')
  const client = connect(server)
  const changes = await client.watch({ toolsListChanged: true })
  await server.runScheduled('* * * * *')
  expect(await changes.next()).toEqual({ kind: 'toolsChanged' })
  changes.stop()
})

test('is called by its URL, as any other server', async () => {
  const client = connect<Definitions>(server.endpoint)
  expect((await client.tools.convert_price({ amount: 1, from: 'EUR', to: 'USD' })).value).toEqual(
    expect.objectContaining({ amount: 1.17 }),
  )
})

test('takes callers without a token only from a client of the test', async () => {
  const root = join(import.meta.dirname, '../../../guarded')
  const guarded = await startServer({ root, build: false, secrets: { SIGNING_KEY: 'none' } })
  onTestFinished(() => guarded.close())
  const who = async (client: TestClient): Promise<unknown> =>
    (await client.callTool('who_am_i')).structuredContent
  const caller = { subject: 'ada', scopes: 'a' }
  expect(await who(connect(guarded, { caller }))).toMatchObject({ subject: 'ada', scopes: ['a'] })
  await expect(who(connect(guarded))).rejects.toThrow(ClientError)
  const headers = { ...guarded.toCallerHeaders(caller), 'Helve-Test-Key': crypto.randomUUID() }
  await expect(who(connect(guarded.endpoint, { headers }))).rejects.toMatchObject({ status: 401 })
  const admin = connect(guarded, { caller: { subject: 'eve', scopes: 'admin' } })
  await expect(admin.callTool('tool_needs_a')).rejects.toMatchObject({ status: 403 })
})

test('is served over HTTP too', async () => {
  expect((await server.fetch('/mcp/tools')).status).toBe(200)
  expect(server.printed().length).toBeGreaterThan(0)
})
