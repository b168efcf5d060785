import { expect, test } from 'vitest'
import { createServer } from './server.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
const { ask } = createServer()
const version = 'io.modelcontextprotocol/protocolVersion'

const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

test.each(['1900-01-01', '2025-11-25', 'v999.0.0', ''])(
  'an unsupported version MUST get the supported versions: "%s"',
  async (requested) => {
    const { status, body } = await ask(
      'server/discover',
      {},
      { meta: { [version]: requested }, headers: { 'MCP-Protocol-Version': requested }, id: 7 },
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({
      id: 7,
      error: { code: -32022, data: { supported, requested } },
    })
  },
)

test('header and body are compared before the version is checked', async () => {
  const { status, body } = await ask('server/discover', {}, { meta: { [version]: 'v999.0.0' } })
  expect([status, body.error.code]).toEqual([400, -32020])
})

test('initialize of an older revision SHOULD get the supported versions if it is refused', async () => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'old', version: '1' },
  }
  const server = createServer({ legacy: false })
  const { status, body } = await server.post(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  )
  expect(status).toBe(400)
  expect(body.error.message).toContain('2026-07-28')
  expect(body.error.data).toEqual({ supported: ['2026-07-28'], requested: '2025-11-25' })
})

test.each([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])('a method of older revisions is unknown: %s', async (method) => {
  const { status, body } = await ask(method, {}, { id: 'x' })
  expect([status, body.error.code, body.id]).toEqual([404, -32601, 'x'])
  expect(body.error.data).toEqual({ supported: ['2026-07-28'] })
})
