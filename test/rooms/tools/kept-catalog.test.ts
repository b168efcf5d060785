import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkersCache } from '../../../src/testing/workers-cache/workers-cache.ts'
import worker, { Listings } from '../../../src/worker.ts'

const uri = 'shop://catalog'
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

test('the catalog is read once an hour, and the next reader does not wait', async () => {
  let now = 0
  const cache = createWorkersCache({ now: () => now })
  const ctx = Object.assign(createExecutionContext(), {
    exports: cache.inFrontOf({ Listings }, env, exports),
  })
  const read = () =>
    worker.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'resources/read',
          'Mcp-Name': uri,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'resources/read',
          params: { uri, _meta: meta },
        }),
      }),
      env,
      ctx,
    )
  await read()
  await read()
  expect(cache.log.map(({ status }) => status)).toEqual(['MISS', 'HIT'])
  now += 3_600_000
  await read()
  expect(cache.log.at(-1)?.status).toBe('UPDATING')
  await cache.settled()
})
