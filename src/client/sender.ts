import type { JsonObject } from '../protocol/json.ts'
import { metaKey } from '../protocol/meta.ts'
import { ClientError } from './client-error.ts'
import { type Received, receive, untilAborted } from './connection.ts'
import { readLogMessage, readProgress } from './notifications.ts'
import type { CallOptions, ClientSettings, RequestOptions } from './options.ts'
import { toHeaderValue } from './param-headers.ts'
import { answerQuestion, readInputRequests } from './questions.ts'
import { type ShapeOf, expectShape, isObject, isText, maybe, objectOf, recordOf } from './shapes.ts'

/** A request before it is sent. */
export interface Prepared {
  readonly method: string
  readonly params: JsonObject
  /** Sets the headers that repeat arguments of a tool. */
  readonly setParams?: (headers: Headers) => void
}

const revision = '2026-07-28'

/** What can be asked if there are answers to everything. */
const askable: JsonObject = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

/** The parameter that `Mcp-Name` repeats (basic/transports/streamable-http, "Standard Request Headers"). */
const mirroredNames: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/** More rounds of questions, or pages of a list, are those of a server that never ends. */
const maxRounds = 32
const maxPages = 1_000

/** Sends the requests of one client, each of them complete in itself (basic/index, "Statelessness"). */
export class Sender {
  readonly #settings: ClientSettings
  #lastId = 0

  constructor(settings: ClientSettings) {
    this.#settings = settings
  }

  /** Returns an id that no request of this client has had. */
  createId(): number {
    return ++this.#lastId
  }

  /** Sends a request and yields what comes back, except progress and log messages. */
  async *open(
    id: number,
    prepared: Prepared,
    options: CallOptions,
    signal: AbortSignal,
  ): AsyncGenerator<Received> {
    const { onProgress, onLog } = options
    const request = await untilAborted(this.#toRequest(id, prepared, options, signal), signal)
    let last = -Infinity
    for await (const received of receive(this.#settings.send, request, id, signal)) {
      if (received.kind === 'notification' && received.method === 'notifications/progress') {
        const update = readProgress(received.params, id, last)
        if (update === null) continue
        last = update.progress
        onProgress?.(update)
      } else if (received.kind === 'notification' && received.method === 'notifications/message') {
        const message = readLogMessage(received.params)
        if (message !== null) onLog?.(message)
      } else {
        yield received
      }
    }
  }

  async #toRequest(
    id: number,
    { method, params, setParams }: Prepared,
    { onProgress, onLog, logLevel = 'debug', answers }: CallOptions,
    signal: AbortSignal,
  ): Promise<Request> {
    const { url, info, toHeaders, capabilities, answers: shared } = this.#settings
    const canAsk = (answers ?? shared) !== undefined
    const headers = await toHeaders()
    headers.set('Content-Type', 'application/json')
    headers.set('Accept', 'application/json, text/event-stream')
    headers.set('MCP-Protocol-Version', revision)
    headers.set('Mcp-Method', method)
    const named = mirroredNames.get(method)
    if (named !== undefined) headers.set('Mcp-Name', toHeaderValue(String(params[named])))
    setParams?.(headers)
    const _meta = {
      [metaKey.protocolVersion]: revision,
      [metaKey.clientInfo]: info,
      [metaKey.clientCapabilities]: capabilities ?? (canAsk ? askable : {}),
      ...(onLog !== undefined && { [metaKey.logLevel]: logLevel }),
      ...(onProgress !== undefined && { progressToken: id }),
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })
    return new Request(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  }

  /** Sends a request and returns its result, which may be a question. */
  async #send(prepared: Prepared, options: CallOptions): Promise<JsonObject> {
    const { timeout = this.#settings.timeout, signal } = options
    const { method } = prepared
    const timer = new AbortController()
    const stop = (): void =>
      timer.abort(new ClientError('timeout', `${method} had no result after ${timeout} ms.`))
    const handle = setTimeout(stop, timeout)
    try {
      const signals = signal === undefined ? [timer.signal] : [timer.signal, signal]
      const either = AbortSignal.any(signals)
      for await (const received of this.open(this.createId(), prepared, options, either)) {
        if (received.kind === 'result') return received.result
      }
      throw invalid(`${method} had no result.`)
    } finally {
      clearTimeout(handle)
    }
  }

  async request<Result>(
    prepared: Prepared,
    shape: ShapeOf<Result>,
    options: CallOptions = {},
  ): Promise<Result> {
    return readComplete(prepared, await this.#send(prepared, options), shape)
  }

  /**
   * Lists all pages. Cursors are opaque, and an empty one is one too (server/utilities/pagination).
   *
   * @param key the member of the result that has the items.
   */
  async list<Item>(
    method: string,
    key: string,
    shape: ShapeOf<readonly Item[]>,
    options?: RequestOptions,
  ): Promise<readonly Item[]> {
    const pages: (readonly Item[])[] = []
    const cursors = new Set<string>()
    let params: JsonObject = {}
    while (cursors.size < maxPages) {
      // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next one
      const page = await this.request({ method, params }, listPage, options)
      pages.push(expectShape(shape, page[key], `\`${key}\` of ${method}`))
      const { nextCursor } = page
      if (nextCursor === undefined) return pages.flat()
      if (cursors.has(nextCursor)) throw invalid(`The cursors of ${method} go round in a circle.`)
      cursors.add(nextCursor)
      params = { cursor: nextCursor }
    }
    throw invalid(`${method} has more than ${maxPages} pages. The list was not read further.`)
  }

  /** Repeats a request with answers until it is complete (basic/patterns/mrtr). */
  async settle<Result>(
    prepared: Prepared,
    shape: ShapeOf<Result>,
    options: CallOptions = {},
  ): Promise<Result> {
    let round: JsonObject = {}
    for (let count = 0; count < maxRounds; count += 1) {
      const params = { ...prepared.params, ...round }
      // oxlint-disable-next-line no-await-in-loop -- each round needs the last one
      const result = await this.#send({ ...prepared, params }, options)
      if (result['resultType'] !== 'input_required') return readComplete(prepared, result, shape)
      // oxlint-disable-next-line no-await-in-loop -- as above
      round = await this.#answer(result, options, count)
    }
    throw invalid(`The server asked ${maxRounds} times. It was not answered again.`)
  }

  /** Returns the parameters that the next round has besides those of the first. */
  async #answer(
    result: JsonObject,
    { answers = this.#settings.answers, signal }: CallOptions,
    count: number,
  ): Promise<JsonObject> {
    const { inputRequests, requestState } = expectShape(inputRequired, result, 'The question')
    const state = requestState === undefined ? {} : { requestState }
    if (inputRequests === undefined) {
      if (requestState === undefined) throw invalid('The server asks for input, but not for which.')
      // it is not ready, and wants the same request again
      await untilAborted(pause(count * 250), signal)
      return state
    }
    const inputResponses: [string, JsonObject][] = []
    for (const asked of readInputRequests(inputRequests)) {
      // oxlint-disable-next-line no-await-in-loop -- a person answers one question at a time
      const response = await untilAborted(answerQuestion(asked, answers), signal)
      inputResponses.push([asked.key, response])
    }
    return { ...state, inputResponses: Object.fromEntries(inputResponses) }
  }
}

/** Reads a result. One of an earlier revision has no `resultType` (basic/index, "ResultType"). */
function readComplete<Result>(
  { method }: Prepared,
  result: JsonObject,
  shape: ShapeOf<Result>,
): Result {
  const { resultType = 'complete' } = result
  if (resultType === 'complete') return expectShape(shape, result, `The result of ${method}`)
  throw invalid(`The result of ${method} is of a type that this client does not know.`)
}

const listPage: ShapeOf<JsonObject & { readonly nextCursor?: string }> = (
  value,
  trace,
): value is JsonObject & { readonly nextCursor?: string } =>
  isObject(value, trace) && cursorMember(value, trace)

const cursorMember = objectOf<{ readonly nextCursor?: string }>({ nextCursor: maybe(isText) })

interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, unknown>>
  readonly requestState?: string
}

const inputRequired = objectOf<InputRequired>({
  inputRequests: maybe(recordOf((value): value is unknown => value !== undefined)),
  requestState: maybe(isText),
})

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}

function invalid(message: string): ClientError {
  return new ClientError('invalid', message)
}
