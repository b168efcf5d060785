import { expect, test } from 'vitest'
import { createServer } from './server.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/server/discover
test('server/discover MUST return versions, capabilities, serverInfo and cache hints', async () => {
  const { status, body } = await createServer().ask('server/discover')
  expect(status).toBe(200)
  expect(body.result).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    capabilities: { tools: { listChanged: true }, logging: {} },
    ttlMs: 3_600_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'spec', version: '1.2.3' } },
  })
})

test('returns every option that describes the server', async () => {
  const identity = {
    name: 'shop',
    version: '2',
    title: 'Shop',
    description: 'Sells.',
    websiteUrl: 'https://example.com',
    icons: [{ src: 'https://example.com/i.png', sizes: ['48x48'] }],
  }
  const { body } = await createServer({ ...identity, instructions: 'Search first.' }).ask(
    'server/discover',
  )
  expect(body.result.instructions).toBe('Search first.')
  expect(body.result._meta['io.modelcontextprotocol/serverInfo']).toEqual(identity)
})

test('declares no capability without a method behind it', async () => {
  const { ask } = createServer({
    registry: {
      digest: 'none',
      code: 'none',
      bindings: { vars: [], limits: {} },
      tools: [],
      resources: [],
      prompts: [],
      handles: [],
    },
  })
  expect((await ask('server/discover')).body.result.capabilities).toEqual({})
  expect((await ask('tools/list')).body.error.code).toBe(-32601)
})
