import * as z from 'zod'
import { defineTool, form, roots, ToolError } from 'helve'
import { callTool, ClientError } from 'helve/testing'
import { describe, expect, test } from 'vitest'

const greet = defineTool({
  description: 'Greets.',
  input: z.object({ who: z.string(), times: z.int().default(1) }),
  output: z.object({ text: z.string() }),
  run: ({ input }) => ({ text: `Hello, ${input.who}`.repeat(input.times) }),
})

const pay = defineTool({
  description: 'Pays.',
  output: z.object({ paid: z.boolean(), why: z.string().optional() }),
  ask: ({ answers }) => ({
    confirm: form('Pay?', z.object({ pay: z.boolean() })),
    ...('confirm' in answers && { reason: form('Why?', z.object({ why: z.string().min(3) })) }),
  }),
  run: ({ answers }) => ({ paid: answers.confirm.pay, why: answers.reason?.why }),
})

const secret = defineTool({
  description: 'Is for some.',
  scopes: ['shop:write'],
  run: ({ caller }) => `${caller?.subject} from ${caller?.client}`,
})

describe('callTool', () => {
  test('returns the value of the type of `output`', async () => {
    const { value, text } = await callTool(greet, { input: { who: 'Ada' } })
    const typed: string = value.text
    expect(typed).toBe('Hello, Ada')
    expect(text).toBe('{"text":"Hello, Ada"}')
  })

  test('refuses an input as the model would see it', async () => {
    // @ts-expect-error it must be a text
    const calling = callTool(greet, { input: { who: 1 } })
    await expect(calling).rejects.toThrow(ToolError)
    await expect(calling).rejects.toThrow('"who" must be')
  })

  test('returns text and content of a tool without `output`', async () => {
    const tool = defineTool({ description: 'Talks.', run: () => ['a', 'b'].map(toBlock) })
    const { value, text, content } = await callTool(tool)
    const none: undefined = value
    expect([none, text, content]).toEqual([undefined, 'a\nb', ['a', 'b'].map(toBlock)])
  })

  test('throws the ToolError of the tool, and any other error as it was thrown', async () => {
    const fault = new RangeError('It broke.')
    const tool = defineTool({
      description: 'Fails.',
      input: z.object({ fault: z.boolean() }),
      run({ input }): string {
        throw input.fault ? fault : new ToolError('There is none.')
      },
    })
    const failing = callTool(tool, { input: { fault: false } })
    await expect(failing).rejects.toThrow(ToolError)
    await expect(failing).rejects.toThrow(/^There is none\.$/)
    await expect(callTool(tool, { input: { fault: true } })).rejects.toBe(fault)
  })

  test('throws a TypeError for a value that does not match `output`', async () => {
    const tool = defineTool({
      description: 'Is wrong.',
      output: z.object({ count: z.int() }),
      run: () => ({ count: 0.5 }),
    })
    await expect(callTool(tool)).rejects.toThrow(/^tool returned a value that does not match/)
  })

  test('keeps progress and log messages', async () => {
    const tool = defineTool({
      description: 'Reports.',
      run({ progress, log }) {
        progress(1, 2, 'half')
        log.info('done', { half: true })
        return ''
      },
    })
    const { progress, log } = await callTool(tool)
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
    expect(log).toMatchObject([{ level: 'info', data: { message: 'done' } }])
  })

  test('passes `env`', async () => {
    const tool = defineTool({
      description: 'Reads.',
      run: ({ env }) => env.WEATHER_API,
    })
    const { text } = await callTool(tool, { env: { WEATHER_API: 'https://weather.example' } })
    expect(text).toBe('https://weather.example')
  })

  test('stops the tool with its signal', async () => {
    const stopping = new AbortController()
    const tool = defineTool({
      description: 'Waits.',
      async run({ signal }) {
        stopping.abort(new Error('Enough.'))
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return ''
      },
    })
    await expect(callTool(tool, { signal: stopping.signal })).rejects.toThrow('Enough.')
  })

  test('runs a tool with limits and a cache each time', async () => {
    let runs = 0
    const tool = defineTool({
      description: 'Counts.',
      cache: '1h',
      parallel: 1,
      limit: { tokens: 1, per: '1h' },
      hints: { readOnly: true },
      output: z.int(),
      run: () => (runs += 1),
    })
    await callTool(tool)
    expect((await callTool(tool)).value).toBe(2)
  })
})

const toBlock = (text: string) => ({ type: 'text', text }) as const

describe('the caller of callTool', () => {
  test('is checked for scopes', async () => {
    const calling = callTool(secret, { caller: { subject: 'ada', scopes: 'shop:read' } })
    await expect(calling).rejects.toThrow(ClientError)
    await expect(calling).rejects.toMatchObject({ status: 403 })
    await expect(callTool(secret)).rejects.toMatchObject({ status: 401 })
  })

  test('reaches the tool', async () => {
    const caller = { subject: 'ada', client: 'cli', scopes: ['shop:write'] }
    expect((await callTool(secret, { caller })).text).toBe('ada from cli')
  })

  test('decides what `visible` shows', async () => {
    const tool = defineTool({
      description: 'Is for Ada.',
      visible: ({ caller }) => caller?.subject === 'ada',
      run: () => 'seen',
    })
    expect((await callTool(tool, { caller: 'ada' })).text).toBe('seen')
    await expect(callTool(tool, { caller: 'bob' })).rejects.toThrow('Unknown tool')
  })
})

describe('the questions of callTool', () => {
  test('are answered by their keys, in rounds', async () => {
    const answers = { confirm: { pay: true }, reason: { why: 'a gift' } }
    const { value, asked } = await callTool(pay, { answers })
    expect(value).toEqual({ paid: true, why: 'a gift' })
    expect(asked.map(({ key }) => key)).toEqual(['confirm', 'reason'])
  })

  test('that have no answer are named', async () => {
    const calling = callTool(pay, { answers: { confirm: { pay: true } } })
    await expect(calling).rejects.toThrow('The question `reason` ("Why?") has no answer.')
    await expect(callTool(pay)).rejects.toThrow('The question `confirm` ("Pay?") has no answer.')
  })

  test('whose answer is refused are not asked for ever', async () => {
    const answers = { confirm: { pay: true }, reason: { why: '' } }
    await expect(callTool(pay, { answers })).rejects.toThrow(
      'The answer to `reason` was not accepted',
    )
  })

  test('may be declined, and answered by a function', async () => {
    const declining = callTool(pay, { answers: { confirm: 'decline' } })
    await expect(declining).rejects.toThrow('The user declined to answer "confirm"')
    const { value } = await callTool(pay, {
      answers: ({ key }) => (key === 'confirm' ? { pay: false } : { why: key }),
    })
    expect(value).toEqual({ paid: false, why: 'reason' })
  })

  test('have keys that the compiler knows', async () => {
    // @ts-expect-error there is no such question
    await expect(callTool(pay, { answers: { confirmed: {} } })).rejects.toThrow('`confirm`')
  })

  test('may be for the folders of the user', async () => {
    const tool = defineTool({
      description: 'Lists folders.',
      ask: () => ({ folders: roots() }),
      run: ({ answers }) => answers.folders.map(({ uri }) => uri).join(),
    })
    const { text } = await callTool(tool, { answers: { folders: ['file:///a'] } })
    expect(text).toBe('file:///a')
  })
})
