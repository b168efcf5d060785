import type { Call } from '../mcp/call.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { hasInexact } from './read-json.ts'
import { findRequestId, hasModernMeta } from './read-message.ts'
import { respond, respondWithBatch } from './respond.ts'

/** The messages that one POST may have, which is more than any client sends. */
const maxBatch = 100

/** The messages that are served at once, since the results of all of them are in memory together. */
const atOnce = 10

type ServeMessage = (call: Call, value: unknown, inexact?: string) => Promise<Response>

/**
 * Serves a batch (2025-03-26, basic/transports, "Sending Messages to the Server"). Each message is a
 * call of its own, with its own limit and audit line, and the responses are one array.
 */
export async function serveBatch(
  call: Call,
  values: readonly unknown[],
  inexact: string | undefined,
  serve: ServeMessage,
): Promise<Response> {
  const why = findBatchProblem(call, values)
  if (why !== null) return respond(call, fail({ kind: 'invalid-request', why }))
  const most = call.settings.maxResultBytes
  const responses: string[] = []
  let length = 0
  let refusal: Response | null = null
  for (let from = 0; from < values.length; from += atOnce) {
    const isFull = length > most
    const group = values.slice(from, from + atOnce).map(async (value, index) => {
      const part = call.toPart()
      part.id = findRequestId(value)
      // the first message was counted with the request
      const limited = from + index === 0 ? null : await countPart(part)
      const refused = limited ?? (isFull && isAnswered(value) ? tooMuch(most) : null)
      const response =
        refused === null
          ? await serve(part, value, hasInexact(value) ? inexact : undefined)
          : respond(part, refused)
      return readServed(value, response)
    })
    // oxlint-disable-next-line no-await-in-loop -- the results of all messages would be in memory
    for (const served of await Promise.all(group)) {
      if (typeof served === 'string') {
        responses.push(served)
        length += served.length
      } else {
        refusal ??= served
      }
    }
  }
  // a batch without requests has the error status of a message that was refused, which it has alone, too
  return responses.length === 0 && refusal !== null ? refusal : respondWithBatch(call, responses)
}

function findBatchProblem(call: Call, values: readonly unknown[]): string | null {
  if (call.revision?.hasBatches !== true || values.some(hasModernMeta)) {
    return 'batches are part of revision 2025-03-26 only. Send each message in its own POST.'
  }
  if (values.length === 0) return 'the batch is empty.'
  if (values.length > maxBatch) {
    return `the batch has ${values.length} messages, and may have ${maxBatch}. Send it in parts.`
  }
  const begins = values.some((value) => isJsonObject(value) && value['method'] === 'initialize')
  return begins ? '`initialize` must not be in a batch. Send it alone.' : null
}

async function countPart({ settings, countedAs, env, log }: Call): Promise<Outcome | null> {
  const limited = await settings.requestLimit?.count(countedAs, env, log)
  return limited === undefined || limited === null ? null : fail(limited)
}

function tooMuch(most: number): Outcome {
  const why =
    `The earlier results of this batch are larger than ${most} bytes, so this request was not ` +
    'served. Send it in a POST of its own.'
  return fail({ kind: 'failed', why })
}

/** Returns the text of the response to a message. Without one, it returns `null`, or what refuses it. */
async function readServed(value: unknown, response: Response): Promise<string | Response | null> {
  // a request that was cancelled gets no response
  if (isAnswered(value)) return (await response.text()) || null
  return response.ok ? null : response
}

/** Whether a message gets a response: a request does, and whatever is not a message. */
function isAnswered(value: unknown): boolean {
  if (!isJsonObject(value)) return true
  return 'method' in value ? 'id' in value : !('result' in value || 'error' in value)
}
