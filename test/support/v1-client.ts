import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  type ClientCapabilities,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'

/** A client of version 1 of the official SDK, connected with `initialize`. */
export interface V1Client {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  /** What it was asked so far: the method, for an elicitation its mode, and the message. */
  readonly asked: readonly string[]
  /** The methods of the notifications so far, with the URI or the text of each. */
  readonly heard: readonly string[]
  /** What its transport reported, such as a stream that broke. */
  readonly errors: readonly string[]
  /** Resolves when a notification stream has begun. */
  readonly listening: Promise<void>
  /** The `Mcp-Session-Id` as it is now. */
  readonly session: () => string
}

export interface V1Options {
  /** Everything that can be asked, unless said otherwise. */
  readonly capabilities?: ClientCapabilities
  /** The response to a question to the user. */
  readonly elicit?: (message: string) => ElicitResult | Promise<ElicitResult>
  /** Sends the requests; the global `fetch` unless said otherwise. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>
}

/** What a client can be asked. */
export const allCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
} as const

/** Connects a client that answers every question, and closes it after the test. */
export async function connectV1(endpoint: string, options: V1Options = {}): Promise<V1Client> {
  const { capabilities = allCapabilities, elicit = () => ({ action: 'accept' }) } = options
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  const client = new Client({ name: 'v1', version: '1.0.0' }, { capabilities })
  const asked: string[] = []
  const heard: string[] = []
  const errors: string[] = []
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => {
      asked.push(`${method} ${params.mode ?? 'form'}: ${params.message}`)
      return elicit(params.message)
    })
  }
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ method }) => {
      asked.push(method)
      return { role: 'assistant', model: 'test-model', content: { type: 'text', text: 'Paris' } }
    })
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, ({ method }) => {
      asked.push(method)
      return { roots: [{ uri: 'file:///home/me/work' }] }
    })
  }
  for (const schema of [
    ToolListChangedNotificationSchema,
    PromptListChangedNotificationSchema,
    ResourceListChangedNotificationSchema,
  ]) {
    client.setNotificationHandler(schema, ({ method }) => void heard.push(method))
  }
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ method, params }) => void heard.push(`${method} ${params.uri}`),
  )
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ method, params }) =>
      void heard.push(`${method} ${params.level}: ${JSON.stringify(params.data)}`),
  )
  // not an EventTarget
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = (error) => void errors.push(error.message)

  const listening = Promise.withResolvers<void>()
  // fails only those who wait for it
  listening.promise.catch(() => {})
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    async fetch(url, init) {
      const response = await send(url, init)
      if (init?.method === 'GET') {
        if (response.ok) listening.resolve()
        else listening.reject(new Error(`GET got ${response.status}.`))
      }
      return response
    },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const session = (): string => transport.sessionId ?? ''
  return { client, transport, asked, heard, errors, listening: listening.promise, session }
}
