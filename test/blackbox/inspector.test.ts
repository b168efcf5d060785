import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import { exampleTools } from '../support/example-tools.ts'

const inspector = join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')

/** What docs/clients.md tells readers to run by npx. */
async function inspect(...options: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    inspector,
    '--cli',
    inject('endpoint'),
    '--transport=http',
    '--protocol-era=modern',
    ...options,
  ])
  return JSON.parse(stdout)
}

describe('the MCP inspector', () => {
  it('lists the tools', async () => {
    expect(await inspect('--method', 'tools/list')).toMatchObject({
      tools: exampleTools.map((name) => ({ name })),
    })
  })

  it('accepts the schemas of all tools', async () => {
    expect(await inspect('--method', 'tools/list', '--strict')).toHaveProperty('tools')
  })

  it('calls a tool', async () => {
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'get_weather',
      '--tool-arg',
      'city=Lisbon',
    ]
    expect(await inspect(...call)).toMatchObject({
      structuredContent: { place: 'Lisbon, Portugal', timezone: 'Europe/Lisbon' },
    })
  })
})
