import type { AskedQuestion } from '../../define/question.ts'
import type { Caller } from '../../protocol/caller.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import type { ServerRequest } from '../../protocol/message.ts'
import type { Revision } from '../../protocol/revisions/revision.ts'
import { type BridgeConnection, type BridgeNamespace, openBridge } from '../../state/bridge.ts'
import { maxAnswersLength } from '../../objects/bridge-questions.ts'
import { checkSize } from '../result-size.ts'
import { toClientGone } from '../deadline.ts'
import type { Work } from '../work.ts'
import { excerpt } from '../../util/excerpt.ts'
import { readAnswerText, sealQuestionId } from './question-id.ts'

/** How a round of questions ended that were sent to the client. */
export type Exchanged =
  | {
      readonly kind: 'answered'
      readonly responses: JsonObject
      /** Who sent the last answer. */
      readonly caller: Caller | null
    }
  /** The call cannot continue; `why` is for the model or the user. */
  | { readonly kind: 'stopped'; readonly why: string }

/** What the questions of a call are sent with. */
export interface ExchangeOptions {
  readonly namespace: BridgeNamespace
  readonly revision: Revision
  /** Milliseconds that a user has for the questions of one round. */
  readonly waitMs: number
}

/** Questions of one round, which is more than a user would answer. */
const maxQuestions = 100

/**
 * Sends the questions of one round on the stream of the call, all of them at once, and waits for the
 * responses, which the client posts one by one.
 *
 * @throws {ClientGone} when the client disconnects, cancels the call, or ends its session.
 * @throws {ToolError} when the questions are longer than a result may be.
 */
export async function exchange(
  work: Work,
  questions: ReadonlyMap<string, AskedQuestion<unknown>>,
  { namespace, revision, waitMs }: ExchangeOptions,
): Promise<Exchanged> {
  const { call, name } = work
  if (questions.size > maxQuestions) {
    const why = `it asks ${questions.size} questions at once, and may ask ${maxQuestions}`
    call.log.warn(`${call.method} ${name}`, `${why}.`)
    return stop(`${excerpt(name)} was ended because of a fault on the server: ${why}.`)
  }
  const keys = [...questions.keys()]
  const bridge = await openBridge(namespace, { count: keys.length, ms: waitMs })
  try {
    const asked = await toRequests(work, questions, revision, bridge.object)
    if (typeof asked === 'string') return stop(asked)
    const printed = JSON.stringify(asked)
    checkSize(`What ${excerpt(name)} asks`, printed, call.settings.maxResultBytes)
    return await collect(work, keys, asked, bridge, waitMs)
  } finally {
    bridge.close()
  }
}

/** Returns the requests in the order of the questions, or why there is none for one of them. */
async function toRequests(
  { call, name }: Work,
  questions: ReadonlyMap<string, AskedQuestion<unknown>>,
  revision: Revision,
  object: string,
): Promise<readonly ServerRequest[] | string> {
  const requests: ServerRequest[] = []
  for (const [key, { request }] of questions) {
    // oxlint-disable-next-line no-await-in-loop -- the order is that of the indexes
    const id = await sealQuestionId(call, { object, index: requests.length })
    const converted = revision.toClientRequest(request, id)
    if (converted === null) {
      return (
        `${excerpt(name)} was not run: its question ${quote(key)} cannot be asked in revision ` +
        `${revision.version} of MCP, which this client speaks. Use a client with a newer revision.`
      )
    }
    const { params } = converted
    requests.push({ id, method: request.method, ...(isJsonObject(params) && { params }) })
  }
  return requests
}

/** Sends the requests, and waits until all are answered, one cannot be, or the time is over. */
async function collect(
  { call, name }: Work,
  keys: readonly string[],
  asked: readonly ServerRequest[],
  bridge: BridgeConnection,
  waitMs: number,
): Promise<Exchanged> {
  const { signal } = call
  // while the object was opened
  if (signal.aborted) throw toClientGone(signal)
  const { promise: ended, resolve, reject } = Promise.withResolvers<Exchanged>()
  const responses = new Map<string, unknown>()
  const open = new Map(asked.map(({ id }, index) => [index, id]))
  const forwarding = bridge.forward(({ index, text }) => {
    const key = keys[index]
    if (key === undefined || !open.delete(index)) return
    if (text === '') return resolve(stop(toTooLong(name)))
    const { answer, caller } = readAnswerText(text)
    if (!isJsonObject(answer) || !('result' in answer)) {
      const said = toSaid(isJsonObject(answer) ? answer['error'] : undefined)
      resolve(
        stop(`The client did not answer ${quote(key)}, so ${excerpt(name)} was not run. ${said}`),
      )
      return
    }
    responses.set(key, answer['result'])
    if (open.size > 0) return
    resolve({ kind: 'answered', responses: Object.fromEntries(responses), caller })
  })
  void forwarding.then(() => resolve(stop(toLost(name))))
  const timer = setTimeout(() => resolve(stop(toUnanswered(name, keys, open, waitMs))), waitMs)
  const leave = (): void => reject(toClientGone(signal))
  signal.addEventListener('abort', leave)
  const stream = call.channel.open()
  try {
    for (const request of asked) stream.request(request)
    call.isAsking = true
    return await ended
  } finally {
    call.isAsking = false
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    // the client may still show these (2025-11-25, basic/utilities/cancellation)
    for (const requestId of open.values()) {
      const reason = 'The call that asked has ended.'
      stream.send({ method: 'notifications/cancelled', params: { requestId, reason } })
    }
  }
}

function stop(why: string): Exchanged {
  return { kind: 'stopped', why }
}

/** What a client says when it refuses, such as -1 for sampling that its user rejected. */
function toSaid(error: unknown): string {
  const { code, message } = isJsonObject(error) ? error : {}
  const text = typeof message === 'string' ? excerpt(message) : 'no reason'
  return `The client's error was: ${text}${typeof code === 'number' ? ` (${code})` : ''}`
}

function toUnanswered(
  name: string,
  keys: readonly string[],
  open: ReadonlyMap<number, string>,
  waitMs: number,
): string {
  const waiting = keys.filter((_, index) => open.has(index)).map(quote)
  return (
    `${excerpt(name)} was not run: after ${toTime(waitMs)} there was no answer to ` +
    `${excerpt(waiting.join(', '))}. Call it again when the user is there.`
  )
}

function toTime(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1_000} seconds`
}

function toTooLong(name: string): string {
  return (
    `${excerpt(name)} was not run: the answers to its questions are longer than ${maxAnswersLength} ` +
    'characters, which would have to wait in memory. Call it again, and answer with less.'
  )
}

function toLost(name: string): string {
  return `${excerpt(name)} was not run: its questions were interrupted by the server. Call it again.`
}

function quote(key: string): string {
  return `"${excerpt(key)}"`
}
