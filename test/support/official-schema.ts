import { Validator, type Schema } from '@cfworker/json-schema'
import official from '../spec/schema/2026-07-28.json' with { type: 'json' }
import { createReplyReader } from './reply-reader.ts'

/** The definition of the result of each method. */
const results: Readonly<Record<string, string>> = {
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
}

const errors: Readonly<Record<number, string>> = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
}

/**
 * Validates a message of a server by the official JSON Schema. `method` is that of the request that
 * the message responds to.
 *
 * @returns what is wrong with it.
 */
export function findMessageProblems(message: unknown, method: string): readonly string[] {
  if (!isObject(message)) return ['The message is not an object.']
  const { result, error } = message
  if ('method' in message)
    return [...find('JSONRPCNotification', message), ...find('ServerNotification', message)]
  if (result !== undefined) {
    return [
      ...find('JSONRPCResultResponse', message),
      ...find(toResultName(result, method), result),
    ]
  }
  const { code } = isObject(error) ? error : {}
  return find(errors[Number(code)] ?? 'JSONRPCErrorResponse', message)
}

function toResultName(result: unknown, method: string): string {
  const isQuestion = isObject(result) && result['resultType'] === 'input_required'
  return isQuestion ? 'InputRequiredResult' : (results[method] ?? 'EmptyResult')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const validators = new Map<string, Validator>()

function find(name: string, value: unknown): readonly string[] {
  const validator = validators.get(name) ?? createValidator(name)
  validators.set(name, validator)
  const { errors } = validator.validate(value)
  return errors.map(({ instanceLocation, error }) => `${name} ${instanceLocation}: ${error}`)
}

function createValidator(name: string): Validator {
  if (!Object.hasOwn(official.$defs, name)) throw new Error(`The schema has no ${name}.`)
  const schema: Schema = { ...toSchema(official), $ref: `#/$defs/${name}` }
  return new Validator(schema, '2020-12', false)
}

/** Adds the format of Base64, which the validator does not know. */
function toSchema(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    isObject(value) && value['format'] === 'byte' ? { ...value, pattern: base64 } : value,
  )
}

const base64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'

let problems: string[] = []

/** Keeps what is wrong with a message until {@link takeMessageProblems} takes it. */
export function checkMessage(message: unknown, method: string): void {
  const found = findMessageProblems(message, method)
  if (found.length > 0) problems.push(`${method}: ${found.join('\n')}\n${JSON.stringify(message)}`)
}

/** Takes what was wrong with the messages so far. */
export function takeMessageProblems(): readonly string[] {
  const taken = problems
  problems = []
  return taken
}

type Fetch = typeof globalThis.fetch

/** Makes a `fetch` that checks each message in response to a request of the current revision. */
export function toWatchedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const method = readMethod(input instanceof Request ? await input.clone().text() : init?.body)
    const response = await fetch(input, init)
    const type = response.headers.get('Content-Type') ?? ''
    if (method === null || response.body === null) return response
    if (type === 'application/json') {
      const body: unknown = await response.clone().json()
      if (isObject(body) && body['jsonrpc'] === '2.0') checkMessage(body, method)
    }
    if (type !== 'text/event-stream') return response
    const tap = createTap((message) => checkMessage(message, method))
    return new Response(response.body.pipeThrough(tap), response)
  }
}

/** Passes a stream of events on, and shows each message in it. */
function createTap(show: (message: unknown) => void): TransformStream<Uint8Array, Uint8Array> {
  const reader = createReplyReader('text/event-stream')
  const decoder = new TextDecoder()
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      for (const piece of reader.take(decoder.decode(chunk, { stream: true }))) {
        if (piece.kind === 'message') show(piece.message)
      }
    },
  })
}

/** The method of a request of the current revision; `null` for anything else. */
function readMethod(body: unknown): string | null {
  if (typeof body !== 'string' || !body.includes('2026-07-28')) return null
  try {
    const message: unknown = JSON.parse(body)
    const { method } = isObject(message) ? message : {}
    return typeof method === 'string' ? method : null
  } catch {
    return null
  }
}
