import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

const client = new Client(
  { name: 'blackbox', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
)

beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(inject('endpoint')))))
afterAll(() => client.close())

async function complete(value: string) {
  const ref = { type: 'ref/resource', uri: 'shop://products/{sku}' } as const
  const { completion } = await client.complete({ ref, argument: { name: 'sku', value } })
  return completion
}

describe('the official client', () => {
  it('lists the fixed resource and each product of the template', async () => {
    const { resources } = await client.listResources()
    expect(resources[0]).toMatchObject({ uri: 'shop://catalog', mimeType: 'text/markdown' })
    expect(resources.slice(1)).toHaveLength(36)
    expect(resources).toContainEqual(
      expect.objectContaining({
        uri: 'shop://products/KN-101',
        title: 'Chef’s knife, 20 cm',
        mimeType: 'application/json',
      }),
    )
  })

  it('lists the template', async () => {
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'shop://products/{sku}', name: 'product' }],
    })
  })

  it('reads the catalog, which is public', async () => {
    const read = await client.readResource({ uri: 'shop://catalog' })
    expect(read).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
    expect(read.contents).toMatchObject([{ uri: 'shop://catalog', mimeType: 'text/markdown' }])
    expect(read.contents[0]).toHaveProperty('text', expect.stringContaining('| KN-101 | Chef’s'))
  })

  it('reads the product that a tool linked to', async () => {
    const { content } = await client.callTool({ name: 'get_product', arguments: { sku: 'kn-101' } })
    const link = content.find((block) => block.type === 'resource_link')
    const { contents } = await client.readResource({ uri: link?.uri ?? '' })
    const [json] = contents.flatMap((part) => ('text' in part ? part.text : []))
    expect(JSON.parse(json ?? '')).toMatchObject({ sku: 'KN-101', priceEur: 89 })
  })

  it.each(['shop://products/XX-000', 'shop://products/kn-101', 'shop://nothing'])(
    'gets an error for the unknown resource %s',
    async (uri) => {
      await expect(client.readResource({ uri })).rejects.toSatisfy(
        (error) => error instanceof ProtocolError && error.code === -32602,
      )
    },
  )

  it('completes a SKU by its beginning and by the name of the product', async () => {
    expect(await complete('kn-10')).toMatchObject({ total: 6, hasMore: false })
    expect(await complete('santoku')).toMatchObject({ values: ['KN-102'] })
    expect(await complete('lawnmower')).toMatchObject({ values: [], total: 0 })
  })
})
