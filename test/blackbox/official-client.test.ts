import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { exampleTools } from '../support/example-tools.ts'

const client = new Client(
  { name: 'blackbox', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
)

beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(inject('endpoint')))))
afterAll(() => client.close())

describe('the official client', () => {
  it("negotiates the newest revision and receives the server's identity", () => {
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect(client.getServerVersion()).toMatchObject({ name: 'helve-shop', version: '0.1.0' })
    expect(client.getInstructions()).toContain('kitchen shop')
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    })
  })

  it('lists the tools, sorted by name, with their schemas', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(exampleTools)
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
      })
    }
    expect(
      tools.flatMap(({ name, annotations }) => (annotations?.readOnlyHint ? name : [])),
    ).toEqual(['convert_price', 'get_product', 'get_weather', 'search_catalog', 'view_basket'])
  })

  it('calls a tool and finds its value valid by the output schema', async () => {
    const result = await client.callTool({
      name: 'search_catalog',
      arguments: { query: 'knife', limit: 1 },
    })
    const value = {
      products: [
        {
          sku: 'KN-101',
          name: 'Chef’s knife, 20 cm',
          category: 'knives',
          priceEur: 89,
          inStock: true,
        },
      ],
      more: 2,
    }
    expect(result.isError).not.toBe(true)
    expect(result.structuredContent).toEqual(value)
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(value) }])
  })

  it('receives an image and a resource link beside the value', async () => {
    const { content, structuredContent } = await client.callTool({
      name: 'get_product',
      arguments: { sku: 'CT-504' },
    })
    expect(structuredContent).toMatchObject({ madeIn: 'Tokoname, Japan', priceEur: 68 })
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link'])
    const [, picture, link] = content
    if (picture?.type !== 'image') throw new TypeError('The second block is no image.')
    expect(picture).toMatchObject({ mimeType: 'image/png', annotations: { audience: ['user'] } })
    const png = Buffer.from(picture.data, 'base64')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([64, 64])
    expect(link).toMatchObject({
      uri: 'shop://products/CT-504',
      name: 'CT-504',
      title: 'Side-handle teapot, 360 ml',
      mimeType: 'application/json',
    })
  })

  it('receives the message of a ToolError', async () => {
    const result = await client.callTool({ name: 'get_product', arguments: { sku: 'XX-000' } })
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'No product has the SKU "XX-000". Find the right one with search_catalog.',
        },
      ],
    })
  })

  it.each([
    ['zod', 'get_weather', { city: 'Lisbon', days: 30 }, 'days'],
    ['zod/mini', 'search_catalog', { query: 'pan', category: 'cars' }, 'category'],
    ['JSON Schema', 'get_product', { sku: 'KN-101', colour: 'red' }, 'colour'],
  ])(
    'receives the name of an argument that does not fit a schema of %s',
    async (_, name, input, field) => {
      const { isError, content } = await client.callTool({ name, arguments: input })
      expect(isError).toBe(true)
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining(field) }])
    },
  )

  it('receives an error for an unknown tool', async () => {
    const call = client.callTool({ name: 'sell_shop', arguments: {} })
    await expect(call).rejects.toSatisfy(
      (error) => error instanceof ProtocolError && error.code === -32602,
    )
    await expect(call).rejects.toThrow('sell_shop')
  })
})
