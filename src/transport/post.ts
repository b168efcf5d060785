import { readAccept } from './accept.ts'
import { answerMessage, type Handle, type Inbound } from './answer-message.ts'
import { refuse, type Answer } from './answer.ts'
import { readBody } from './body.ts'
import { isJsonContentType } from './content-type.ts'
import { readJson } from './json.ts'
import { readMessage } from './message.ts'

/**
 * Receives one JSON-RPC message (basic/transports/streamable-http, "Sending Messages"). The headers
 * are judged first, so that nothing is read, and nothing has run, when a request is refused by them.
 */
export async function receive(arrived: Omit<Inbound, 'accepted'>, handle: Handle): Promise<Answer> {
  const { request } = arrived
  const { headers } = request
  const contentType = headers.get('Content-Type') ?? 'missing'
  if (!isJsonContentType(contentType))
    return refuse({ kind: 'unsupported-media-type', contentType })
  const accept = headers.get('Accept') || '*/*'
  const accepted = readAccept(accept)
  if (accepted === null) return refuse({ kind: 'not-acceptable', accept })

  const text = await readBody(request)
  if (typeof text !== 'string') return text
  const json = readJson(text)
  if (json.kind === 'refusal') return json
  const message = readMessage(json.value)
  if (message.kind === 'refusal') return message
  // no method of MCP is a notification from the client: there is nothing to do with one
  if (message.kind === 'notification') return { kind: 'accepted' }
  return await answerMessage(message, { ...arrived, accepted }, handle)
}
