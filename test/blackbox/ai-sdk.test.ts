import { createMCPClient, MCPClientError, type MCPClient } from '@ai-sdk/mcp'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { exampleTools } from '../support/example-tools.ts'

let client: MCPClient

beforeAll(async () => {
  client = await createMCPClient({ transport: { type: 'http', url: inject('endpoint') } })
})
afterAll(() => client.close())

describe('@ai-sdk/mcp', () => {
  it('discovers the server', () => {
    expect(client.initializeResult.protocolVersion).toBe('2026-07-28')
    expect(client.serverInfo).toMatchObject({ name: 'helve-shop' })
    expect(client.instructions).toContain('kitchen shop')
  })

  it('converts each tool to an AI SDK tool', async () => {
    expect(Object.keys(await client.tools())).toEqual(exampleTools)
  })

  it('calls a tool and receives its value', async () => {
    const result = await client.callTool({
      name: 'convert_price',
      arguments: { amount: 24.9, to: 'JPY' },
    })
    expect(result).toMatchObject({
      structuredContent: { amount: 4611, currency: 'JPY', rate: 185.18, date: '2026-01-20' },
    })
  })

  it('receives an image and a resource link', async () => {
    const { content } = await client.callTool({
      name: 'get_product',
      arguments: { sku: 'tw-605' },
    })
    expect(content).toMatchObject([
      { type: 'text' },
      { type: 'image', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'shop://products/TW-605' },
    ])
  })

  it.each([
    ['says so itself', 'get_product', { sku: 'XX-000' }, 'search_catalog'],
    ['was called with wrong arguments', 'convert_price', { amount: 'ten', to: 'JPY' }, 'amount'],
  ])('reads the error of a tool that %s', async (_, name, input, words) => {
    expect(await client.callTool({ name, arguments: input })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(words) }],
    })
  })

  it('receives an error for an unknown tool', async () => {
    await expect(client.callTool({ name: 'sell_shop' })).rejects.toSatisfy(
      (error) => MCPClientError.isInstance(error) && error.code === -32602,
    )
  })
})
