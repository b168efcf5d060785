import { describe, expect, test, vi } from 'vitest'
import { defineTool } from 'helve'
import { custom } from '../../src/auth/custom.ts'
import { createAnotherWorker } from '../../src/server.ts'
import { toRegistry } from '../spec/registry.ts'
import { createServer } from '../spec/server.ts'

describe('what needs a scope, where no caller can have one', () => {
  const pay = defineTool({ description: 'Pays.', scopes: ['shop:write'], run: () => 'paid' })
  const look = defineTool({ description: 'Looks.', run: () => 'seen' })
  const registry = toRegistry({ pay, look })
  const scoped = { name: 'spec', version: '1.0.0', registry }

  test('does not stop the Worker, and the log says why it is hidden', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    createAnotherWorker(scoped)
    expect(warn.mock.lastCall?.[0]).toContain(
      'No caller can have the scopes that pay need, because this Worker has no `auth`',
    )
    warn.mockClear()
    createAnotherWorker({ ...scoped, auth: custom(() => null) })
    expect(warn).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  test('is left out of the list, and refused', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const server = createServer({ audit: false }, { pay, look })
    const listed = await server.ask('tools/list')
    expect(listed.text).toContain('"look"')
    expect(listed.text).not.toContain('"pay"')
    const called = await server.ask('tools/call', { name: 'pay', arguments: {} })
    expect(called.status).toBe(403)
    expect(called.text).not.toContain('paid')
    vi.restoreAllMocks()
  })
})
