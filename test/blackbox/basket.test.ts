import {
  Client,
  MissingRequiredClientCapabilityError,
  StreamableHTTPClientTransport,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/client'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { toModernRequest } from '../support/modern-request.ts'

interface Shopper {
  readonly client: Client
  /** What the user was asked so far. */
  readonly asked: readonly string[]
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<CallResult>
}

interface CallResult {
  readonly isError: boolean
  readonly value: Record<string, unknown>
  readonly text: string
}

/** A client whose user answers each question in turn; without answers it cannot be asked. */
async function shop(...answers: readonly ElicitResult[]): Promise<Shopper> {
  const canAnswer = answers.length > 0
  const client = new Client(
    { name: 'blackbox', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: canAnswer ? { elicitation: { form: {} } } : {},
    },
  )
  const asked: string[] = []
  if (canAnswer) {
    client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest) => {
      const answer = answers[asked.length]
      asked.push(params.message)
      return answer ?? { action: 'cancel' }
    })
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(inject('endpoint'))))
  onTestFinished(() => client.close())
  return {
    client,
    asked,
    async call(name, input = {}) {
      const { isError, structuredContent, content } = await client.callTool({
        name,
        arguments: input,
      })
      const [text] = content.flatMap((block) => (block.type === 'text' ? block.text : []))
      return {
        isError: isError === true,
        value: { ...Object(structuredContent) },
        text: text ?? '',
      }
    },
  }
}

/** A new basket with one kind of product in it. */
async function fill({ call }: Shopper, quantity: number): Promise<string> {
  const { value } = await call('create_basket')
  const id = String(value['basket'])
  await call('add_item', { basket: id, sku: 'KN-101', quantity })
  return id
}

const answer = z.object({
  result: z.object({
    resultType: z.string(),
    requestState: z.string().optional(),
    structuredContent: z.object({ order: z.string(), total: z.number() }).optional(),
  }),
})

type Round = z.infer<typeof answer>['result']

/** Sends a checkout by hand, as one round of it. */
async function sendCheckout(basket: string, round: object): Promise<Round> {
  const params = { name: 'checkout', arguments: { basket }, ...round }
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
  const reply = await fetch(toModernRequest(inject('endpoint'), 'tools/call', params, { meta }))
  const { result } = answer.parse(await reply.json())
  return result
}

const yes = { action: 'accept', content: { pay: true } } as const
const no = { action: 'accept', content: { pay: false } } as const
const present = { action: 'accept', content: { reason: 'wedding present' } } as const

describe('a basket', () => {
  it('can be created, filled, viewed and emptied', async () => {
    const { call } = await shop()
    const { value } = await call('create_basket', { currency: 'USD' })
    const id = String(value['basket'])
    expect(id).toMatch(/^bsk_[\w-]{43}$/)

    await call('add_item', { basket: id, sku: 'UT-406' })
    const { value: added } = await call('add_item', { basket: id, sku: 'kn-101', quantity: 2 })
    expect(added).toMatchObject({ sku: 'KN-101', quantity: 2 })

    const { value: bill } = await call('view_basket', { basket: id })
    expect(bill).toMatchObject({
      items: [
        { sku: 'UT-406', quantity: 1 },
        { sku: 'KN-101', quantity: 2, priceEur: 89 },
      ],
      totalEur: added['totalEur'],
      currency: 'USD',
    })
    const { value: left } = await call('remove_item', { basket: id, sku: 'ut-406' })
    expect(left).toEqual({ totalEur: 178 })
  })

  it('loses nothing when several items are added concurrently', async () => {
    const { call } = await shop()
    const id = String((await call('create_basket')).value['basket'])
    const skus = ['KN-101', 'KN-102', 'KN-103', 'KN-104', 'CW-201', 'CW-203']
    await Promise.all(skus.map((sku) => call('add_item', { basket: id, sku })))
    const { value } = await call('view_basket', { basket: id })
    expect(value['items']).toHaveLength(skus.length)
  })

  it('refuses more than is in stock, and stays unchanged', async () => {
    const shopper = await shop()
    const id = await fill(shopper, 2)
    const more = await shopper.call('add_item', { basket: id, sku: 'KN-101', quantity: 99 })
    expect(more).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Nothing was added:/),
    })
    expect((await shopper.call('view_basket', { basket: id })).value).toMatchObject({ total: 178 })
  })

  it.each([
    ['malformed', 'bsk_none'],
    ['of another kind', 'cart_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['made up', 'bsk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('is not found by an id that is %s, and the error names the tool to call', async (_, id) => {
    const { call } = await shop()
    expect(await call('view_basket', { basket: id })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Create a new one with create_basket'),
    })
  })
})

describe('checkout', () => {
  it('asks once about a small basket, pays, and ends the basket', async () => {
    const shopper = await shop(yes)
    const id = await fill(shopper, 1)
    const { value, isError } = await shopper.call('checkout', { basket: id })
    expect(isError).toBe(false)
    expect(value).toEqual({
      order: expect.stringMatching(/^[\da-f-]{36}$/),
      total: 89,
      currency: 'EUR',
    })
    expect(shopper.asked).toEqual(['Pay €89.00 for 1 piece?'])
    expect(await shopper.call('view_basket', { basket: id })).toMatchObject({ isError: true })
  })

  it('asks about a large basket in a second round', async () => {
    const shopper = await shop(yes, present)
    const id = await fill(shopper, 6)
    expect((await shopper.call('checkout', { basket: id })).value).toMatchObject({
      total: 534,
      reason: 'wedding present',
    })
    expect(shopper.asked).toEqual([
      'Pay €534.00 for 6 pieces?',
      'That is a large order. What is it for?',
    ])
  })

  it('pays once if its last round is sent three times concurrently and again later', async () => {
    const basket = await fill(await shop(), 1)
    const { resultType, requestState } = await sendCheckout(basket, {})
    expect(resultType).toBe('input_required')
    const retry = { requestState, inputResponses: { confirm: yes } }
    const sent = [1, 2, 3].map(() => sendCheckout(basket, retry))
    const results = [...(await Promise.all(sent)), await sendCheckout(basket, retry)]
    const orders = results.map(({ structuredContent }) => structuredContent?.order)
    expect(orders).toEqual([expect.any(String), orders[0], orders[0], orders[0]])
  })

  it.each([
    ['says not to pay', no, /^Nothing was charged:/],
    ['declines', { action: 'decline' } as const, /^The user declined to answer "confirm"/],
    ['closes the form', { action: 'cancel' } as const, /^The user closed the question "confirm"/],
  ])('charges nothing if the user %s, and keeps the basket', async (_, answer, sentence) => {
    const shopper = await shop(answer)
    const id = await fill(shopper, 6)
    const { isError, text } = await shopper.call('checkout', { basket: id })
    expect(isError).toBe(true)
    expect(text).toMatch(sentence)
    expect((await shopper.call('view_basket', { basket: id })).value).toMatchObject({ total: 534 })
  })

  it('charges nothing if the user gives no reason for a large order', async () => {
    const shopper = await shop(yes, { action: 'decline' })
    const id = await fill(shopper, 6)
    expect(await shopper.call('checkout', { basket: id })).toMatchObject({ isError: true })
    expect((await shopper.call('view_basket', { basket: id })).value).toMatchObject({ total: 534 })
  })

  it('does not ask about an empty basket', async () => {
    const shopper = await shop(yes)
    const { value } = await shopper.call('create_basket')
    const checkout = await shopper.call('checkout', { basket: value['basket'] })
    expect(checkout).toMatchObject({
      isError: true,
      text: 'Nothing is in the basket. Put products into it with add_item first.',
    })
    expect(shopper.asked).toEqual([])
  })

  it('is refused, before anything runs, to a client that cannot ask its user', async () => {
    const shopper = await shop()
    const id = await fill(shopper, 1)
    await expect(shopper.call('checkout', { basket: id })).rejects.toBeInstanceOf(
      MissingRequiredClientCapabilityError,
    )
    expect((await shopper.call('view_basket', { basket: id })).isError).toBe(false)
  })
})
