import { describe, expect, test } from 'vitest'
import { legacyVersions, toInitialize } from '../support/legacy-request.ts'
import { createServer, url } from './server.ts'

// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
const { ask, askLegacy, initialize, postLegacy, send } = createServer({
  instructions: 'Say hello first.',
})

describe('basic/lifecycle', () => {
  test.each(legacyVersions)(
    'a version that the server supports MUST be echoed: %s',
    async (version) => {
      const { status, headers, body } = await send(toInitialize(url, version))
      expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
      expect(body.result.protocolVersion).toBe(version)
    },
  )
})
