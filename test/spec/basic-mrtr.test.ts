import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { carry, definePrompt, defineResource, defineTool, form, link, roots, sample } from 'helve'
import { createServer, type Reply } from './server.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
const description = 'A tool of this test.'
const payForm = z.object({ pay: z.boolean() })
let price = 10
let runs = 0
beforeEach(() => {
  price = 10
  runs = 0
})

const { ask } = createServer(
  {},
  {
    pay: defineTool({
      description,
      input: z.object({ basket: z.string() }),
      ask: () => ({ confirm: form(`Pay ${price}?`, payForm) }),
      run({ answers }) {
        runs += 1
        return answers.confirm.pay ? `paid ${price} in run ${runs}` : 'not paid'
      },
    }),
    other: defineTool({
      description,
      input: z.object({ basket: z.string() }),
      ask: () => ({ confirm: form(`Pay ${price}?`, payForm) }),
      run: () => 'other',
    }),
    large: defineTool({
      description,
      ask: ({ answers }) => ({
        confirm: form('Pay?', payForm),
        ...(answers['confirm'] !== undefined && {
          why: form('Why so much?', z.object({ why: z.string() })),
        }),
      }),
      run: ({ answers }) => `because ${answers.why?.why}`,
    }),
    pair: defineTool({
      description,
      ask: () => ({
        name: form('Your name?', z.object({ name: z.string().min(2) })),
        age: form('Your age?', z.object({ age: z.int() })),
      }),
      run: ({ answers }) => `${answers.name.name}, ${answers.age.age}`,
    }),
    told: defineTool({
      description,
      ask: () => ({ note: form('A note?', z.object({ note: z.string() }), { declined: 'tell' }) }),
      run: ({ answers }) => answers.note.action,
    }),
    quote: defineTool({
      description,
      ask: () => ({ price: carry(price) }),
      run: ({ answers }) => `quoted ${answers.price}`,
    }),
    login: defineTool({
      description,
      ask: () => ({ login: link('Sign in', 'https://bank.example/login') }),
      run: () => 'signed in',
    }),
    ai: defineTool({
      description,
      ask: () => ({
        poem: sample({
          messages: [{ role: 'user', content: { type: 'text', text: 'A poem' } }],
          maxTokens: 9,
        }),
        where: roots(),
      }),
      run: ({ answers }) => `${answers.poem.model} in ${answers.where[0]?.uri}`,
    }),
    able: defineTool({
      description,
      ask: ({ can }) => (can.form ? { confirm: form('Sure?', payForm) } : {}),
      run: ({ answers }) => (answers.confirm === undefined ? 'not asked' : 'asked'),
    }),
    greet: definePrompt({
      description: 'Greets.',
      ask: () => ({ who: form('Who?', z.object({ name: z.string() })) }),
      messages: ({ answers }) => `Hello, ${answers.who.name}`,
    }),
    secret: defineResource({
      uri: 'test://secret',
      mime: 'text/plain',
      cache: '1h',
      ask: () => ({ sure: form('Open it?', payForm) }),
      read: ({ answers }) => `opened ${answers.sure.pay}`,
    }),
  },
)

const all = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities'

function call(
  name: string,
  input: object,
  more: object = {},
  capabilities: object = all,
): Promise<Reply> {
  const params = { name, arguments: input, ...more }
  return ask('tools/call', params, { meta: { [clientCapabilities]: capabilities } })
}

const accept = (content: object) => ({ action: 'accept', content })
const stateOf = ({ body }: Reply): string => body.result.requestState
const textOf = ({ body }: Reply): string => body.result.content[0].text
const basket = { basket: 'b1' }

describe('the first round', () => {
  test('returns input_required and runs nothing', async () => {
    const { body, headers } = await call('pay', basket)
    expect(body.result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        confirm: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Pay 10?',
            requestedSchema: {
              type: 'object',
              properties: { pay: { type: 'boolean' } },
              required: ['pay'],
            },
          },
        },
      },
      requestState: expect.any(String),
      _meta: expect.any(Object),
    })
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(runs).toBe(0)
  })

  test('ignores a response to a question that was not asked', async () => {
    const { body } = await call('pay', basket, {
      inputResponses: { confirm: accept({ pay: true }) },
    })
    expect(body.result.resultType).toBe('input_required')
    expect(runs).toBe(0)
  })

  test.each([
    [
      'elicitation/create',
      'login',
      { params: { mode: 'url', message: 'Sign in', url: 'https://bank.example/login' } },
    ],
    ['sampling/createMessage', 'ai', { params: expect.objectContaining({ maxTokens: 9 }) }],
    ['roots/list', 'ai', {}],
  ])('can ask %s', async (method, name, rest) => {
    const { body } = await call(name, {})
    expect(Object.values(body.result.inputRequests)).toContainEqual(
      expect.objectContaining({
        method,
        ...rest,
      }),
    )
  })
})

describe('the next round', () => {
  test('runs with the answer', async () => {
    const requestState = stateOf(await call('pay', basket))
    const inputResponses = { confirm: accept({ pay: true }) }
    expect(textOf(await call('pay', basket, { requestState, inputResponses }))).toBe(
      'paid 10 in run 1',
    )
  })

  test('asks again when the price changed after the question', async () => {
    const requestState = stateOf(await call('pay', basket))
    price = 99
    const inputResponses = { confirm: accept({ pay: true }) }
    const { body } = await call('pay', basket, { requestState, inputResponses })
    expect(body.result.inputRequests.confirm.params.message).toBe('Pay 99?')
    expect(runs).toBe(0)
  })

  test.each([
    [12345],
    ['yes'],
    [null],
    [{ action: 'accept' }],
    [accept({ pay: 'yes' })],
    [{ action: 'maybe' }],
  ])('asks again after an invalid response: %j', async (confirm) => {
    const requestState = stateOf(await call('pay', basket))
    const { body } = await call('pay', basket, { requestState, inputResponses: { confirm } })
    expect(body.result.resultType).toBe('input_required')
    expect(runs).toBe(0)
  })

  test('SHOULD ask only for missing responses', async () => {
    const first = stateOf(await call('pair', {}))
    const second = await call(
      'pair',
      {},
      { requestState: first, inputResponses: { age: accept({ age: 36 }) } },
    )
    expect(Object.keys(second.body.result.inputRequests)).toEqual(['name'])
    const inputResponses = { name: accept({ name: 'Ada' }) }
    const third = await call('pair', {}, { requestState: stateOf(second), inputResponses })
    expect(textOf(third)).toBe('Ada, 36')
  })

  test('SHOULD ignore unknown responses', async () => {
    const requestState = stateOf(await call('pay', basket))
    const inputResponses = JSON.parse(
      '{"confirm":{"action":"accept","content":{"pay":true}},"__proto__":{"x":1},"constructor":5,"junk":null}',
    )
    expect(textOf(await call('pay', basket, { requestState, inputResponses }))).toContain('paid')
  })

  test('may ask a question that depends on the first answer', async () => {
    const first = stateOf(await call('large', {}))
    const second = await call(
      'large',
      {},
      { requestState: first, inputResponses: { confirm: accept({ pay: true }) } },
    )
    expect(Object.keys(second.body.result.inputRequests)).toEqual(['why'])
    expect(stateOf(second)).not.toBe(first)
    const inputResponses = { why: accept({ why: 'a party' }) }
    expect(textOf(await call('large', {}, { requestState: stateOf(second), inputResponses }))).toBe(
      'because a party',
    )
  })

  test('may have a requestState without a question', async () => {
    const { body } = await call('quote', {})
    expect(body.result).not.toHaveProperty('inputRequests')
    price = 99
    expect(textOf(await call('quote', {}, { requestState: body.result.requestState }))).toBe(
      'quoted 10',
    )
  })

  test.each(['decline', 'cancel'])('ends the call if the user chooses %s', async (action) => {
    const requestState = stateOf(await call('pay', basket))
    const { body } = await call('pay', basket, {
      requestState,
      inputResponses: { confirm: { action } },
    })
    expect(body.result).toMatchObject({ resultType: 'complete', isError: true })
    expect(runs).toBe(0)
  })

  test('passes a refusal to a tool with declined: tell', async () => {
    const requestState = stateOf(await call('told', {}))
    const inputResponses = { note: { action: 'decline' } }
    expect(textOf(await call('told', {}, { requestState, inputResponses }))).toBe('decline')
  })

  test('accepts responses to sampling and roots', async () => {
    const requestState = stateOf(await call('ai', {}))
    const inputResponses = {
      poem: { role: 'assistant', content: { type: 'text', text: 'Roses' }, model: 'm1' },
      where: { roots: [{ uri: 'file:///home/ada' }] },
    }
    expect(textOf(await call('ai', {}, { requestState, inputResponses }))).toBe(
      'm1 in file:///home/ada',
    )
  })

  test('accepts the consent to open a link', async () => {
    const requestState = stateOf(await call('login', {}))
    const inputResponses = { login: { action: 'accept' } }
    expect(textOf(await call('login', {}, { requestState, inputResponses }))).toBe('signed in')
  })
})

describe('requestState', () => {
  const answered = { inputResponses: { confirm: accept({ pay: true }) } }
  const refused = {
    error: {
      code: -32602,
      message: 'Invalid or expired requestState. Send the request again without it.',
    },
  }

  test('MUST be refused if any character was changed', async () => {
    const state = stateOf(await call('pay', basket))
    const places = Array.from({ length: 12 }, (_, index) =>
      Math.floor((index * (state.length - 1)) / 11),
    )
    const spoilt = places.map((at) => {
      const other = state[at] === 'A' ? 'B' : 'A'
      return state.slice(0, at) + other + state.slice(at + 1)
    })
    const replies = await Promise.all(
      spoilt.map((requestState) => call('pay', basket, { requestState, ...answered })),
    )
    for (const { body } of replies) expect(body).toMatchObject(refused)
    expect(runs).toBe(0)
  })

  test.each([
    ['truncated', (state: string) => state.slice(0, -1)],
    ['empty', () => ''],
    ['with more behind it', (state: string) => `${state}-TAMPERED`],
    ['no text', () => 5],
    ['null', () => null],
    ['longer than any of ours', () => 'A'.repeat(9_000)],
  ])('MUST be refused with the same message: %s', async (_, spoil) => {
    const requestState = spoil(stateOf(await call('pay', basket)))
    expect((await call('pay', basket, { requestState, ...answered })).body).toMatchObject(refused)
  })

  test('MUST be refused for another tool and for other arguments', async () => {
    const requestState = stateOf(await call('pay', basket))
    expect((await call('other', basket, { requestState, ...answered })).body).toMatchObject(refused)
    expect((await call('pay', { basket: 'b2' }, { requestState, ...answered })).body).toMatchObject(
      refused,
    )
    expect(runs).toBe(0)
  })

  test('is refused for a tool without questions', async () => {
    const requestState = stateOf(await call('pay', basket))
    expect(
      (await createServer().ask('tools/call', { name: 'ping', requestState })).body,
    ).toMatchObject({
      error: { code: -32602 },
    })
  })

  test('is encrypted', async () => {
    const state = stateOf(await call('quote', {}))
    expect(atob(state.slice(2).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('price')
  })

  test.each([[null], [[]], ['x']])(
    'is refused with inputResponses that are not an object: %j',
    async (inputResponses) => {
      const requestState = stateOf(await call('pay', basket))
      const { body } = await call('pay', basket, { requestState, inputResponses })
      expect(body.error.code).toBe(-32602)
    },
  )
})

describe('run once', () => {
  test('three concurrent retries get the result of one run', async () => {
    const requestState = stateOf(await call('pay', basket))
    const inputResponses = { confirm: accept({ pay: true }) }
    const replies = await Promise.all(
      [1, 2, 3].map(() => call('pay', basket, { requestState, inputResponses })),
    )
    expect(replies.map(textOf)).toEqual(Array.from({ length: 3 }, () => 'paid 10 in run 1'))
    expect(runs).toBe(1)
  })

  test('a replayed retry gets the stored result, even if the question has changed', async () => {
    const requestState = stateOf(await call('pay', basket))
    const inputResponses = { confirm: accept({ pay: true }) }
    await call('pay', basket, { requestState, inputResponses })
    price = 99
    expect(textOf(await call('pay', basket, { requestState, inputResponses }))).toBe(
      'paid 10 in run 1',
    )
    expect(textOf(await call('pay', basket, { requestState }))).toBe('paid 10 in run 1')
    expect(runs).toBe(1)
  })
})

describe('capabilities', () => {
  test.each([
    ['pay', {}, { elicitation: { form: {} } }],
    ['pay', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['login', { elicitation: {} }, { elicitation: { url: {} } }],
    ['login', { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ['ai', { elicitation: {} }, { sampling: {}, roots: {} }],
    ['ai', { roots: {} }, { sampling: {} }],
  ])(
    'that are missing MUST be listed with 400 and -32021: %s with %j',
    async (name, capabilities, requiredCapabilities) => {
      const { status, body } = await call(name, name === 'pay' ? basket : {}, {}, capabilities)
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: -32021, data: { requiredCapabilities } })
      expect(body.error.data.requiredCapabilities).toEqual(requiredCapabilities)
      expect(runs).toBe(0)
    },
  )

  test('elicitation without modes means form mode', async () => {
    expect((await call('pay', basket, {}, { elicitation: {} })).body.result.resultType).toBe(
      'input_required',
    )
  })

  test('a tool can check `can` and ask nothing', async () => {
    expect(textOf(await call('able', {}, {}, {}))).toBe('not asked')
    expect((await call('able', {})).body.result.resultType).toBe('input_required')
  })
})

describe('other requests that may ask questions', () => {
  const meta = { [clientCapabilities]: all }

  test('prompts/get', async () => {
    const first = await ask('prompts/get', { name: 'greet' }, { meta })
    const params = {
      name: 'greet',
      requestState: stateOf(first),
      inputResponses: { who: accept({ name: 'Ada' }) },
    }
    const { body } = await ask('prompts/get', params, { meta })
    expect(body.result.messages[0].content.text).toBe('Hello, Ada')
  })

  test('resources/read, whose retries MUST NOT be cached', async () => {
    const headers = { 'Mcp-Name': 'test://secret' }
    const first = await ask('resources/read', { uri: 'test://secret' }, { meta, headers })
    expect(first.body.result).not.toHaveProperty('ttlMs')
    const params = {
      uri: 'test://secret',
      requestState: stateOf(first),
      inputResponses: { sure: accept({ pay: true }) },
    }
    const second = await ask('resources/read', params, { meta, headers })
    expect(second.body.result).toMatchObject({
      contents: [{ text: 'opened true' }],
      ttlMs: 0,
      cacheScope: 'private',
    })
    expect(second.headers.get('Cache-Control')).toBe('no-store')
  })
})
