import { setTimeout as wait } from 'node:timers/promises'
import { openCall } from './open-call.ts'

/** What a walk through a server met. */
export interface Walk {
  readonly tools: number
  /** Every message that was received, as JSON. */
  readonly seen: string
}

type Params = { readonly name?: string; readonly [key: string]: unknown }
// a message is whatever came, and is validated elsewhere
type Message = ReturnType<typeof JSON.parse>

const meta = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: {},
  },
  'io.modelcontextprotocol/logLevel': 'debug',
  progressToken: 'walk',
}

/** Milliseconds after which a call that does not end is left. */
const patienceMs = 4_000

/** How many calls are open at once. */
const width = 8

/** Uses everything that a server lists, in ways that succeed, ask and fail. */
export async function walkServer(
  endpoint: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Walk> {
  const seen: unknown[] = []
  const send = async (
    method: string,
    params: Params = {},
    changes: object = {},
  ): Promise<Message> => {
    const { uri } = params
    const own = { ...headers, ...(typeof uri === 'string' && { 'Mcp-Name': uri }) }
    const call = await openCall(endpoint, method, params, { headers: own, meta, ...changes })
    const ending = call.ended.then(
      () => {},
      () => {},
    )
    await Promise.race([ending, wait(patienceMs, null, { ref: false })])
    call.leave()
    const messages: readonly Message[] = call.messages()
    seen.push(...messages)
    return messages.find(({ result }) => result !== undefined)?.result
  }

  const list = async (method: string, member: string): Promise<readonly Message[]> => {
    const result = await send(method)
    const { nextCursor: cursor } = result ?? {}
    if (cursor !== undefined) await send(method, { cursor })
    return result?.[member] ?? []
  }

  await send('server/discover')
  const tools = await list('tools/list', 'tools')
  const prompts = await list('prompts/list', 'prompts')
  const resources = await list('resources/list', 'resources')
  const templates = await list('resources/templates/list', 'resourceTemplates')

  const jobs: (() => Promise<unknown>)[] = [
    ...tools.map(
      ({ name, inputSchema }) =>
        () =>
          callInRounds(send, name, toSample(inputSchema)),
    ),
    ...tools.map(
      ({ name }) =>
        () =>
          send('tools/call', { name, arguments: { wrong: [] } }),
    ),
    ...prompts.flatMap(({ name, arguments: named = [] }) => [
      () => send('prompts/get', { name, arguments: toTexts(named) }),
      () => send('prompts/get', { name, arguments: { wrong: 1 } }),
      ...named.map((argument: Message) => () => {
        const ref = { type: 'ref/prompt', name }
        return send('completion/complete', { ref, argument: { name: argument.name, value: '' } })
      }),
    ]),
    ...resources.map(
      ({ uri }) =>
        () =>
          send('resources/read', { uri }),
    ),
    ...templates.flatMap(({ uriTemplate: uri }) => [
      () => send('resources/read', { uri: uri.replace(/\{[^}]*\}/g, 'hello') }),
      ...toVariables(uri).map((name) => () => {
        const ref = { type: 'ref/resource', uri }
        return send('completion/complete', { ref, argument: { name, value: 'h' } })
      }),
    ]),
    () => send('resources/read', { uri: 'nothing://here' }),
    () => send('tools/call', { name: 'no_such_tool' }),
    () => send('tools/list', { cursor: 'no such cursor' }),
    () => send('no/such'),
    () => send('initialize'),
    () => send('tools/list', {}, { headers: { ...headers, 'Mcp-Method': 'tools/call' } }),
    () => send('tools/list', {}, { meta: { [version]: '1999-01-01' }, headers: toOld(headers) }),
    () => {
      const resourceSubscriptions = resources.slice(0, 5).map(({ uri }) => uri)
      const notifications = { toolsListChanged: true, resourceSubscriptions }
      return send('subscriptions/listen', { notifications })
    },
  ]
  const queue = jobs.values()
  // all take from one iterator
  await Promise.all(
    Array.from({ length: width }, async () => {
      // oxlint-disable-next-line no-await-in-loop
      for (const job of queue) await job()
    }),
  )
  return { tools: tools.length, seen: JSON.stringify(seen) }
}

const version = 'io.modelcontextprotocol/protocolVersion'

function toOld(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...headers, 'MCP-Protocol-Version': '1999-01-01' }
}

/** Calls a tool, and answers its questions. */
async function callInRounds(
  send: (method: string, params: Params) => Promise<Message>,
  name: string,
  input: unknown,
): Promise<void> {
  let params: Params = { name, arguments: input }
  for (let round = 0; round < 4; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each round answers the one before
    const result = await send('tools/call', params)
    if (result?.resultType !== 'input_required') return
    const asked: readonly [string, Message][] = Object.entries(result.inputRequests ?? {})
    const inputResponses = Object.fromEntries(asked.map(([key, one]) => [key, toAnswer(one)]))
    params = { name, arguments: input, inputResponses, requestState: result.requestState }
  }
}

function toAnswer({ method, params }: Message): object {
  switch (method) {
    case 'roots/list':
      return { roots: [] }
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'model' }
    default:
      return params.mode === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: toSample(params.requestedSchema) }
  }
}

function toTexts(named: readonly Message[]): object {
  return Object.fromEntries(named.map(({ name }) => [name, 'hello']))
}

function toVariables(template: string): readonly string[] {
  return [...template.matchAll(/\{[+/?]?([\w,]+)\}/g)].flatMap(([, names = '']) => names.split(','))
}

/** Makes a value for a JSON Schema, of its required members. */
function toSample(schema: Message): unknown {
  const { type, properties = {}, required = [], enum: values, const: only, anyOf } = schema
  if ('default' in schema) return schema.default
  if (only !== undefined) return only
  if (values !== undefined) return values[0]
  if (anyOf !== undefined) return toSample(anyOf[0])
  switch (type) {
    case 'object':
      return Object.fromEntries(
        required.map((key: string) => [key, toSample(properties[key] ?? {})]),
      )
    case 'array':
      return []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      return 'hello'.padEnd(schema.minLength ?? 0, 'o')
  }
}
