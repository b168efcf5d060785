import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toLegacyHeaders, toLegacyRequest } from '../support/legacy-request.ts'
import {
  isolateHeader,
  startTwoIsolates,
  type Side,
  type TwoIsolates,
} from '../support/two-isolates.ts'
import { connectV1, type V1Client, type V1Options } from '../support/v1-client.ts'

let app: TwoIsolates
beforeAll(async () => {
  app = await startTwoIsolates()
}, 90_000)
afterAll(() => app.stop())

const answers: Readonly<Record<string, ElicitResult['content']>> = {
  'What is your name?': { name: 'Ada' },
  'Step 1: What is your name?': { name: 'Ada' },
  'Step 2: What is your favorite color?': { color: 'green' },
  'What context should the prompt use?': { context: 'a garden' },
  'Pay 5?': { pay: true },
}

/** Accepts every question to the user. */
const accept = (message: string): ElicitResult => ({ action: 'accept', content: answers[message] })

interface Across extends V1Client {
  /** The isolates that calls reached, and those that everything else reached. */
  readonly reached: { readonly calls: Set<string>; readonly others: Set<string> }
  readonly callTool: (name: string, input?: Record<string, unknown>) => Promise<string>
}

/**
 * Connects a client whose calls reach one isolate, and whose answers, cancellations, notification
 * stream and DELETE reach the other.
 */
async function connectAcross(calls: Side, others: Side, options: V1Options = {}): Promise<Across> {
  const reached = { calls: new Set<string>(), others: new Set<string>() }
  const v1 = await connectV1(app.endpoints[calls], {
    elicit: accept,
    ...options,
    async fetch(_url, init) {
      const kind = isCall(init) ? 'calls' : 'others'
      const response = await fetch(app.endpoints[kind === 'calls' ? calls : others], init)
      reached[kind].add(response.headers.get(isolateHeader) ?? 'none')
      return response
    },
  })
  await v1.listening
  const callTool = async (name: string, input = {}): Promise<string> => {
    const { content, isError } = await v1.client.callTool({ name, arguments: input })
    const [block] = Array.isArray(content) ? content : []
    return `${isError === true ? 'error: ' : ''}${block?.text}`
  }
  return { ...v1, reached, callTool }
}

function isCall(init: RequestInit = {}): boolean {
  if (init.method !== 'POST' || typeof init.body !== 'string') return false
  const { id, method } = JSON.parse(init.body)
  return id !== undefined && method !== undefined
}

describe.each([
  ['a', 'b'],
  ['b', 'a'],
] as const)('a client that calls at isolate %s and answers at isolate %s', (calls, others) => {
  it('reaches two isolates', async () => {
    const { callTool, reached } = await connectAcross(calls, others)
    expect(await callTool('test_input_required_result_list_roots')).toContain('file:///home')
    expect([...reached.calls, ...reached.others]).toEqual([expect.any(String), expect.any(String)])
    expect(reached.calls).not.toEqual(reached.others)
  })

  it.each([
    [
      'a form',
      'test_streaming_elicitation',
      ['elicitation/create form: What is your name?'],
      'Hello, Ada!',
    ],
    [
      'a link',
      'open_page',
      ['elicitation/create url: Sign in on this page.'],
      'The user opened the page.',
    ],
    [
      'a message of its model',
      'test_input_required_result_sampling',
      ['sampling/createMessage'],
      'The model answered [{"type":"text","text":"Paris"}].',
    ],
    [
      'its roots',
      'test_input_required_result_list_roots',
      ['roots/list'],
      'Roots: file:///home/me/work',
    ],
    [
      'one question after the other',
      'test_input_required_result_multi_round',
      [
        'elicitation/create form: Step 1: What is your name?',
        'elicitation/create form: Step 2: What is your favorite color?',
      ],
      'Ada likes green.',
    ],
  ])('is asked for %s', async (_, name, questions, text) => {
    const { callTool, asked, errors } = await connectAcross(calls, others)
    expect(await callTool(name)).toBe(text)
    expect(asked).toEqual(questions)
    expect(errors).toEqual([])
  })

  it('is asked several questions at once', async () => {
    const across: Across = await connectAcross(calls, others, {
      // the user answers after the client has been asked everything else
      async elicit(message) {
        await expect.poll(() => across.asked).toHaveLength(3)
        return accept(message)
      },
    })
    expect(await across.callTool('test_input_required_result_multiple_inputs')).toBe(
      'Ada was greeted by test-model in 1 roots.',
    )
    expect(across.asked.toSorted()).toEqual([
      'elicitation/create form: What is your name?',
      'roots/list',
      'sampling/createMessage',
    ])
  })

  it('is asked for a prompt', async () => {
    const { client } = await connectAcross(calls, others)
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' })
    expect(messages).toMatchObject([{ content: { text: 'Work in this context: a garden' } }])
  })

  it.each([
    ['declines', 'decline'],
    ['cancels', 'cancel'],
  ] as const)('receives an error when its user %s', async (_, action) => {
    const { callTool } = await connectAcross(calls, others, { elicit: () => ({ action }) })
    expect(await callTool('test_streaming_elicitation')).toMatch(
      /^error: The user \w+ .*so test_streaming_elicitation was not run\.$/,
    )
  })

  it('is asked again after a wrong answer', async () => {
    let turn = 0
    const { callTool, asked } = await connectAcross(calls, others, {
      elicit: () => ({ action: 'accept', content: (turn += 1) === 1 ? {} : { name: 'Ada' } }),
    })
    expect(await callTool('test_streaming_elicitation')).toBe('Hello, Ada!')
    expect(asked).toHaveLength(2)
  })

  it('pays once', async () => {
    const { callTool } = await connectAcross(calls, others)
    const { paid, total } = JSON.parse(await callTool('once_pay', { amount: 5 }))
    expect(paid).toBe(5)
    expect(JSON.parse(await callTool('till_total'))).toEqual({ total })
  })

  it('answers thirty questions of calls that run at the same time', async () => {
    const { callTool, asked } = await connectAcross(calls, others)
    const texts = await Promise.all(
      Array.from({ length: 30 }, () => callTool('test_streaming_elicitation')),
    )
    expect(new Set(texts)).toEqual(new Set(['Hello, Ada!']))
    expect(asked).toHaveLength(30)
  })

  it('receives updates of what it subscribed to, and changes of lists', async () => {
    const { client, callTool, heard } = await connectAcross(calls, others)
    const uri = 'test://watched-resource'
    await client.subscribeResource({ uri })
    const update = `notifications/resources/updated ${uri}`
    // the stream began before: when it knows the subscription is not promised
    await expect
      .poll(async () => {
        await callTool('resource_touch', { uri })
        return heard
      })
      .toContain(update)
    await callTool('test_trigger_tool_change')
    await expect.poll(() => heard).toContain('notifications/tools/list_changed')

    await client.unsubscribeResource({ uri })
    await callTool('resource_touch', { uri: 'test://static-text' })
    await callTool('test_trigger_prompt_change')
    await expect.poll(() => heard).toContain('notifications/prompts/list_changed')
    expect(heard.filter((line) => line.endsWith('static-text'))).toEqual([])
  })

  it('receives log messages from the level on that it sets, wherever it set it', async () => {
    const { client, callTool, heard } = await connectAcross(calls, others)
    await callTool('test_logging_tool')
    expect(heard).toEqual([])
    await client.setLoggingLevel('info')
    await callTool('test_logging_tool')
    expect(heard).toEqual([
      expect.stringContaining('notifications/message info: '),
      expect.stringContaining('notifications/message error: '),
    ])
  })

  it('stops a call that it cancels', async () => {
    const { client, callTool } = await connectAcross(calls, others)
    const key = crypto.randomUUID()
    const abort = new AbortController()
    const params = { name: 'wait_until_aborted', arguments: { key } }
    const call = client.callTool(params, undefined, { signal: abort.signal })
    setTimeout(() => abort.abort(), 500)
    await expect(call).rejects.toThrow('abort')
    await expect.poll(() => callTool('was_aborted', { key })).not.toContain('null')
  })

  it('gets 404 where it ended its session, and for a stream anywhere', async () => {
    const { transport, callTool, session } = await connectAcross(calls, others)
    await callTool('test_simple_text')
    const ended = session()
    await transport.terminateSession()
    const list = toLegacyRequest(app.endpoints[others], 'tools/list', {}, { session: ended })
    expect((await fetch(list)).status).toBe(404)
    for (const endpoint of Object.values(app.endpoints)) {
      const headers = toLegacyHeaders({ session: ended, headers: { Accept: 'text/event-stream' } })
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await fetch(endpoint, { headers })).status).toBe(404)
    }
    const again = await connectAcross(calls, others)
    expect(again.session()).not.toBe(ended)
    expect(await again.callTool('test_simple_text')).toContain('simple text response')
  })
})

describe('both isolates', () => {
  it('logged nothing else', () => {
    expect(app.printed().split('\n').filter(isTrouble)).toEqual([])
  })
})

/** Whatever workerd printed besides audit lines and what tools log. */
function isTrouble(line: string): boolean {
  return line !== '' && !/^\{"level":"info","what":"audit"|^\{"level":"\w+","logger":/.test(line)
}
