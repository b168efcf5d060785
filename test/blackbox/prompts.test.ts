import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type ElicitResult,
} from '@modelcontextprotocol/client'
import { describe, expect, inject, it, onTestFinished } from 'vitest'

/** A client whose user answers every form with this; without an answer it cannot be asked. */
async function connect(answer?: ElicitResult): Promise<Client> {
  const client = new Client(
    { name: 'blackbox', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    },
  )
  if (answer !== undefined) client.setRequestHandler('elicitation/create', () => answer)
  await client.connect(new StreamableHTTPClientTransport(new URL(inject('endpoint'))))
  onTestFinished(() => client.close())
  return client
}

const risotto = { name: 'plan_dinner', arguments: { dish: 'Mushroom risotto', guests: '6' } }

/** The text of the first message. */
async function plan(client: Client): Promise<string> {
  const { messages } = await client.getPrompt(risotto)
  const [text] = messages.flatMap(({ content }) => (content.type === 'text' ? content.text : []))
  return text ?? ''
}

describe('the official client', () => {
  it('lists the prompt with its arguments', async () => {
    const client = await connect()
    expect(await client.listPrompts()).toMatchObject({
      prompts: [
        {
          name: 'plan_dinner',
          arguments: [
            { name: 'dish', required: true },
            { name: 'guests', required: false },
            { name: 'season', required: false },
          ],
        },
      ],
    })
  })

  it('gets a prompt without a question if it cannot be asked', async () => {
    const { messages } = await (await connect()).getPrompt(risotto)
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text' } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'shop://catalog' } } },
    ])
    expect(await plan(await connect())).toMatch(/^Plan a dinner for 6, with Mushroom risotto/)
  })

  it("gets a prompt that contains the user's answer", async () => {
    const client = await connect({ action: 'accept', content: { without: 'nuts' } })
    expect(await plan(client)).toContain('Leave out: nuts.')
  })

  it('gets the prompt if the user declines to answer', async () => {
    expect(await plan(await connect({ action: 'decline' }))).not.toContain('Leave out')
  })

  it('completes a dish with its completer and a season from its schema', async () => {
    const client = await connect()
    const complete = async (name: string, value: string) => {
      const ref = { type: 'ref/prompt', name: 'plan_dinner' } as const
      return (await client.complete({ ref, argument: { name, value } })).completion.values
    }
    expect(await complete('dish', 'RI')).toContain('Mushroom risotto')
    expect(await complete('season', 's')).toEqual(['spring', 'summer'])
    expect(await complete('guests', '')).toEqual([])
  })

  it.each([
    ['an argument that is missing', {}],
    ['a number that is none', { dish: 'Ramen', guests: 'many' }],
  ])('gets an error for %s', async (_, input) => {
    const client = await connect()
    await expect(client.getPrompt({ name: 'plan_dinner', arguments: input })).rejects.toSatisfy(
      (error) => error instanceof ProtocolError && error.code === -32602,
    )
  })
})
