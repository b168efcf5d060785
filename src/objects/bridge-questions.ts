import { isJsonObject } from '../protocol/json.ts'

/** The header by which a call opens its questions: how many, and for how many milliseconds. */
export const questionsHeader = 'Helve-Questions'

export interface QuestionsOffer {
  readonly count: number
  readonly ms: number
}

export function toQuestionsText({ count, ms }: QuestionsOffer): string {
  return `${count} ${ms}`
}

function readQuestions(text: string | null): QuestionsOffer | null {
  const [, count, ms] = /^(\d{1,3}) (\d{1,9})$/.exec(text ?? '') ?? []
  return count === undefined || ms === undefined ? null : { count: Number(count), ms: Number(ms) }
}

/** The answer to one question, on its way to the call that asked. */
export interface DeliveredAnswer {
  readonly index: number
  /** JSON of the answer and its sender; empty in place of what was too much. */
  readonly text: string
}

/**
 * Characters of all answers of a round, which wait in memory for the last one: as many as a client of
 * 2026-07-28 can send, whose answers of a round are in one request.
 */
export const maxAnswersLength = 1_048_576

export function readDeliveredAnswer(message: string): DeliveredAnswer | null {
  const [, index, text] = /^(\d+) (.*)$/s.exec(message) ?? []
  return index === undefined || text === undefined ? null : { index: Number(index), text }
}

/** Whether an answer was passed on. A question is closed once it was answered, or is too old. */
export type AnswerReply = 'accepted' | 'closed'

const tag = 'questions'

/**
 * The open questions of one round of a call: a hibernatable WebSocket, whose attachment says what is
 * open. Nothing is stored, so nothing is left when the call has ended.
 */
export class OpenQuestions {
  readonly #state: DurableObjectState

  constructor(state: DurableObjectState) {
    this.#state = state
  }

  /**
   * Accepts the call that asks, and returns its end of the WebSocket. `null` for a request that does
   * not ask, or that is not the first one.
   */
  accept(request: Request): WebSocket | null {
    const offer = readQuestions(request.headers.get(questionsHeader))
    if (offer === null || this.#state.getWebSockets(tag).length > 0) return null
    const { 0: theirs, 1: ours } = new WebSocketPair()
    this.#state.acceptWebSocket(ours, [tag])
    const open = Array.from({ length: offer.count }, (_, index) => index)
    attach(ours, { open, until: Date.now() + offer.ms, room: maxAnswersLength })
    return theirs
  }

  /** Passes an answer on. Nothing waits in here, so that of two answers one is the first. */
  answer(index: number, text: string): AnswerReply {
    const [socket] = this.#state.getWebSockets(tag)
    // a socket stays in the runtime's list until the other side has answered the close
    if (socket === undefined || socket.readyState !== WebSocket.OPEN) return 'closed'
    const { open, until, room } = readAttachment(socket.deserializeAttachment())
    if (!open.includes(index) || until <= Date.now()) return 'closed'
    const left = room - text.length
    try {
      socket.send(`${index} ${left < 0 ? '' : text}`)
    } catch {
      return 'closed'
    }
    attach(socket, { open: open.filter((other) => other !== index), until, room: left })
    return 'accepted'
  }
}

interface Attachment {
  readonly open: readonly unknown[]
  readonly until: number
  /** Characters that further answers may have. */
  readonly room: number
}

function attach(socket: WebSocket, attachment: Attachment): void {
  socket.serializeAttachment(attachment)
}

function readAttachment(attached: unknown): Attachment {
  const { open, until, room } = isJsonObject(attached) ? attached : {}
  if (!Array.isArray(open) || typeof until !== 'number' || typeof room !== 'number') {
    return { open: [], until: 0, room: 0 }
  }
  return { open, until, room }
}
