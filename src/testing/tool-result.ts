import type {
  AskedInput,
  CallOptions,
  CallResult,
  InputAnswer,
  InputAnswers,
  LogMessage,
  ProgressUpdate,
} from '../client/client.ts'
import { ClientError } from '../client/client-error.ts'
import { ToolError } from '../define/reply.ts'
import type { Content } from '../protocol/content.ts'
import type { LogLine } from './captured-log.ts'

/** What a call of a tool came to. */
export interface ToolResult<Value> {
  /** The structured value; `undefined` for a tool without `output`. */
  readonly value: Value
  /** The text blocks, joined by line breaks. */
  readonly text: string
  readonly content: readonly Content[]
  /** What `progress` reported. */
  readonly progress: readonly ProgressUpdate[]
  /** What `log` wrote. */
  readonly log: readonly LogMessage[]
  /** What was asked, in this order. */
  readonly asked: readonly AskedInput[]
}

/** The answers to questions by their keys, as clients give them: see `answers` of `helve/client`. */
export type AnswersFor<Q> = unknown extends Q
  ? InputAnswers
  : | ((asked: AskedInput) => InputAnswer | Promise<InputAnswer>)
    | {
        readonly [Key in KeyOf<Q>]?:
          | InputAnswer
          | ((asked: AskedInput) => InputAnswer | Promise<InputAnswer>)
      }

type KeyOf<Q> = Q extends unknown ? keyof Q & string : never

/** How a call is sent, with `options` for the client. */
type SendCall = (options: CallOptions) => Promise<CallResult>

/**
 * Sends a call, and keeps what comes before its result.
 *
 * @throws {ToolError} if the tool was not run or says that it failed, with the sentence for the model.
 * @throws what the tool threw, if that is anything but a ToolError and `lines` has it.
 * @throws {ClientError} if there is no result, as for a caller without the scopes (`code`, `status`).
 */
export async function toToolResult(
  send: SendCall,
  answers: InputAnswers | undefined,
  lines: readonly LogLine[],
): Promise<ToolResult<unknown>> {
  const progress: ProgressUpdate[] = []
  const log: LogMessage[] = []
  const asked: AskedInput[] = []
  const sending = send({
    onProgress: (update) => void progress.push(update),
    onLog: (message) => void log.push(message),
    ...(answers !== undefined && { answers: watchAnswers(answers, asked) }),
  })
  const result = await sending.catch((error: unknown) => {
    throw (error instanceof ClientError && findThrown(error.message, lines)) || error
  })
  const { content, structuredContent: value, isError = false } = result
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (isError) throw findThrown(text, lines) ?? new ToolError(text)
  return { value, text, content, progress, log, asked }
}

/** Finds what was thrown: a client learns only under which id the log has it. */
function findThrown(text: string, lines: readonly LogLine[]): unknown {
  const line = lines.find(({ fields: { errorId } }) => {
    return typeof errorId === 'string' && text.endsWith(`${errorId}.`)
  })
  return line?.thrown
}

/** Keeps the questions. A form whose answer was refused would otherwise get the same answer for ever. */
function watchAnswers(answers: InputAnswers, asked: AskedInput[]): InputAnswers {
  return (question) => {
    const { key } = question
    const isRepeated = asked.some((one) => isSame(one, question))
    asked.push(question)
    const found =
      typeof answers === 'function'
        ? answers
        : Object.hasOwn(answers, key)
          ? answers[key]
          : undefined
    if (typeof found === 'function') return found(question)
    const text = 'message' in question ? ` (${JSON.stringify(question.message)})` : ''
    if (found === undefined) {
      throw new ClientError(
        'unanswered',
        `The question \`${key}\`${text} has no answer. Add it to \`answers\`: { ${key}: ... }.`,
        { data: question },
      )
    }
    if (isRepeated) {
      throw new ClientError(
        'unanswered',
        `The answer to \`${key}\` was not accepted, so it is asked again${text}.`,
        { data: question },
      )
    }
    return found
  }
}

/** A refused answer adds its reason to the message. */
function isSame(before: AskedInput, now: AskedInput): boolean {
  if (before.key !== now.key || before.kind !== now.kind) return false
  return !('message' in before && 'message' in now) || now.message.startsWith(before.message)
}
