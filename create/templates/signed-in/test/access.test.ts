import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'

test('refuses a request without credentials', async () => {
  const response = await exports.default.fetch('http://localhost/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  expect(response.status).toBe(401)
})
