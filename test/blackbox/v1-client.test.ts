import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, inject, it } from 'vitest'
import { exampleTools } from '../support/example-tools.ts'
import { toLegacyRequest } from '../support/legacy-request.ts'
import { connectV1, type V1Client } from '../support/v1-client.ts'

/** A client that cannot be asked anything. */
const connectPlain = (): Promise<V1Client> => connectV1(inject('endpoint'), { capabilities: {} })

describe('version 1 of the official client', () => {
  it("receives the server's identity, and speaks 2025-11-25", async () => {
    const { client, transport } = await connectPlain()
    expect(transport.protocolVersion).toBe('2025-11-25')
    expect(client.getServerVersion()).toMatchObject({ name: 'helve-shop', version: '0.1.0' })
    expect(client.getInstructions()).toContain('kitchen shop')
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    })
    expect(await client.ping()).toEqual({})
  })

  it('lists everything', async () => {
    const { client } = await connectPlain()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(exampleTools)
    for (const tool of tools) {
      expect(tool).toMatchObject({ title: expect.any(String), outputSchema: { type: 'object' } })
    }
    expect(await client.listPrompts()).toMatchObject({ prompts: [{ name: 'plan_dinner' }] })
    const { resources } = await client.listResources()
    expect(resources).toContainEqual(expect.objectContaining({ uri: 'shop://products/KN-101' }))
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'shop://products/{sku}' }],
    })
  })

  it('calls a tool, and finds its value valid by the output schema', async () => {
    const { client } = await connectPlain()
    // the client validates only what it has listed
    await client.listTools()
    const { structuredContent, content } = await client.callTool({
      name: 'get_product',
      arguments: { sku: 'CT-504' },
    })
    expect(structuredContent).toMatchObject({ madeIn: 'Tokoname, Japan', priceEur: 68 })
    expect(content).toMatchObject([
      { type: 'text' },
      { type: 'image', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'shop://products/CT-504' },
    ])
  })

  it('reads resources, prompts and completions', async () => {
    const { client } = await connectPlain()
    const read = await client.readResource({ uri: 'shop://products/KN-101' })
    expect(read).toMatchObject({ contents: [{ mimeType: 'application/json' }] })
    const prompt = await client.getPrompt({ name: 'plan_dinner', arguments: { dish: 'ramen' } })
    expect(JSON.stringify(prompt.messages)).toContain('ramen')
    const completed = await client.complete({
      ref: { type: 'ref/resource', uri: 'shop://products/{sku}' },
      argument: { name: 'sku', value: 'teapot' },
    })
    expect(completed.completion.values).toContain('CT-504')
  })

  it.each([
    ['unknown tool', -32602, ({ client }: V1Client) => client.callTool({ name: 'sell_shop' })],
    [
      'unknown resource',
      -32002,
      ({ client }: V1Client) => client.readResource({ uri: 'shop://products/XX-000' }),
    ],
    ['unknown prompt', -32602, ({ client }: V1Client) => client.getPrompt({ name: 'plan_war' })],
  ])('receives an error for an %s', async (_, code, send) => {
    await expect(send(await connectPlain())).rejects.toSatisfy(
      (error) => error instanceof McpError && error.code === code,
    )
  })

  it.each([
    ['says so itself', 'get_product', { sku: 'XX-000' }, 'search_catalog'],
    ['was called with wrong arguments', 'convert_price', { amount: 'ten', to: 'JPY' }, 'amount'],
    ['asks what the client cannot show', 'checkout', {}, 'elicitation'],
  ])('reads the error of a tool that %s', async (_, name, input, words) => {
    const { client } = await connectPlain()
    const { structuredContent } = await client.callTool({ name: 'create_basket', arguments: {} })
    const basket = String(Object(structuredContent)['basket'])
    const isCheckout = name === 'checkout'
    if (isCheckout) {
      await client.callTool({ name: 'add_item', arguments: { basket, sku: 'KN-101' } })
    }
    const result = await client.callTool({ name, arguments: isCheckout ? { basket } : input })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(words) }],
    })
  })

  it('is asked before a payment', async () => {
    const { client, asked } = await connectV1(inject('endpoint'), {
      elicit: (message) => ({
        action: 'accept',
        content: message.startsWith('Pay') ? { pay: true } : { reason: 'wedding present' },
      }),
    })
    const { structuredContent } = await client.callTool({ name: 'create_basket', arguments: {} })
    const basket = String(Object(structuredContent)['basket'])
    const item = { basket, sku: 'KN-101', quantity: 6 }
    await client.callTool({ name: 'add_item', arguments: item })
    const paid = await client.callTool({ name: 'checkout', arguments: { basket } })
    expect(paid).toMatchObject({ structuredContent: { total: 534, reason: 'wedding present' } })
    expect(asked).toEqual([
      'elicitation/create form: Pay €534.00 for 6 pieces?',
      'elicitation/create form: That is a large order. What is it for?',
    ])
  })

  it('must begin again after it ended its session', async () => {
    const { transport, session, listening } = await connectPlain()
    await listening
    const id = session()
    expect(id).toMatch(/^[\x21-\x7e]+$/)
    await transport.terminateSession()
    const list = toLegacyRequest(inject('endpoint'), 'tools/list', {}, { session: id })
    expect((await fetch(list)).status).toBe(404)
    expect((await (await connectPlain()).client.listTools()).tools).toHaveLength(9)
  })
})
