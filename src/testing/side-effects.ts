import type { AskedInput } from '../client/client.ts'
import { ClientError } from '../client/client-error.ts'
import type { Tool } from '../define/tool.ts'
import { type CallToolOptions, callTool } from './call-tool.ts'
import { observeBindings, observeFetch } from './observed-writes.ts'
import { findPlatform } from './platform.ts'

/**
 * Runs `ask` of a tool twice, with the same input and answers, and compares: both times it must ask the
 * same questions, and it must write nothing. A client may repeat each round, so an `ask` that writes does so
 * more than once. `run` is not called.
 *
 * Writes are noticed in bindings (KV, R2, D1, queues and others) and in requests of `fetch` that are not for
 * reading.
 *
 * @returns what is asked. Questions end at the first one that `answers` lacks.
 * @throws {Error} that names the writes, or the question that differs.
 */
export function expectNoSideEffects<Arguments, Value, Q>(
  tool: Tool<Arguments, Value, Q>,
  ...options: {} extends Arguments
    ? [options?: CallToolOptions<Arguments, Q>]
    : [options: CallToolOptions<Arguments, Q>]
): Promise<readonly AskedInput[]>
export async function expectNoSideEffects(
  tool: Tool,
  options: CallToolOptions<unknown, unknown> = {},
): Promise<readonly AskedInput[]> {
  const first = await observeAsk(tool, options)
  const second = await observeAsk(tool, options)
  const writes = [...new Set([...first.writes, ...second.writes])]
  if (writes.length > 0) {
    throw new Error(
      `\`ask\` wrote something: ${writes.join(', ')}. It may run more than once for one call. Write in \`run\`.`,
    )
  }
  const length = Math.max(first.asked.length, second.asked.length)
  for (let index = 0; index < length; index += 1) {
    const [before, after] = [first.asked[index], second.asked[index]]
    if (JSON.stringify(before) === JSON.stringify(after)) continue
    throw new Error(
      `\`ask\` asked something else the second time, so that no answer can match. First: ` +
        `${JSON.stringify(before)}. Then: ${JSON.stringify(after)}. Keep a value with carry().`,
    )
  }
  return first.asked
}

interface ObservedAsk {
  readonly asked: readonly AskedInput[]
  readonly writes: readonly string[]
}

/** Ends a call where `run` would begin. */
class RunReached extends Error {}

async function observeAsk(
  tool: Tool,
  options: CallToolOptions<unknown, unknown>,
): Promise<ObservedAsk> {
  const asked: AskedInput[] = []
  const writes: string[] = []
  const note = (write: string): void => void writes.push(write)
  const { answers = {} } = options
  const bindings = Object.assign({}, (await findPlatform())?.env, options.env)
  const definition = {
    ...tool.definition,
    run: (): never => {
      throw new RunReached()
    },
  }
  const calling = async (): Promise<unknown> =>
    callTool<unknown, unknown, unknown>(
      { ...tool, definition },
      {
        ...options,
        env: observeBindings(bindings, note),
        answers(question) {
          asked.push(question)
          const found = typeof answers === 'function' ? answers : answers[question.key]
          if (typeof found === 'function') return found(question)
          if (found === undefined) throw new ClientError('unanswered', 'The questions end here.')
          return found
        },
      },
    )
  await observeFetch(note, calling).catch((error: unknown) => {
    const isEnd = error instanceof ClientError && error.reason === 'unanswered'
    if (!isEnd && !(error instanceof RunReached)) throw error
  })
  return { asked, writes }
}
