import { createServer } from '../../../spec/server.ts'
import { type LegacyChanges, toLegacyRequest } from '../../../support/legacy-request.ts'
import { createReplyReader } from '../../../support/reply-reader.ts'

type Server = ReturnType<typeof createServer>

// a message is whatever came: tests look into it and fail where it is something else
type Message = ReturnType<typeof JSON.parse>

/** A call on whose stream the server asks. */
export interface AskedCall {
  readonly status: number
  /** The next message; fails at the end of the stream. */
  readonly next: () => Promise<Message>
  /** All messages until the stream ends. */
  readonly rest: () => Promise<readonly Message[]>
  /** Goes away without a word. */
  readonly leave: () => Promise<void>
}

/** Sends a request of an earlier revision, and leaves its reply to be read. */
export async function openAsked(
  server: Server,
  method: string,
  params: object,
  changes: LegacyChanges,
): Promise<AskedCall> {
  const response = await server.fetch(
    toLegacyRequest('https://mcp.example.com/mcp', method, params, changes),
  )
  const reader = createReplyReader(response.headers.get('Content-Type') ?? '')
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const waiting: Message[] = []
  /** Reads on, and returns whether there was more. */
  const read = async (): Promise<boolean> => {
    const { value, done } = (await body?.read()) ?? { value: undefined, done: true }
    for (const piece of value === undefined ? reader.finish() : reader.take(value)) {
      if (piece.kind === 'message') waiting.push(piece.message)
    }
    return !done
  }
  return {
    status: response.status,
    async next() {
      // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
      while (waiting.length === 0) if (!(await read())) throw new Error('The stream ended.')
      return waiting.shift()
    },
    async rest() {
      // oxlint-disable-next-line no-await-in-loop, no-empty
      while (await read()) {}
      return waiting.splice(0)
    },
    leave: async () => body?.cancel(),
  }
}

/** Everything that a client can be asked. */
export const everything = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

/** The response to a request of the server, as text. */
export function toResponse({ id }: Message, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function toErrorResponse({ id }: Message, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** The response of a user who filled in a form. */
export function accept(message: Message, content: object = {}): string {
  return toResponse(message, { action: 'accept', content })
}
