import type { Questions } from '../define/question.ts'
import type { Abilities, Asking, Running } from '../define/running.ts'
import type { Tool } from '../define/tool.ts'
import type { Uses } from '../define/uses.ts'
import { createHandles } from '../state/handles.ts'
import { openReaders, openUses } from '../state/open-uses.ts'
import type { State } from '../state/state.ts'
import type { Call, CallSettings } from './call.ts'
import { createLog } from './log.ts'
import { createProgress } from './progress.ts'
import { runWithin } from './time-limit.ts'

/** A tool call whose arguments are in order. */
export interface CheckedCall {
  readonly call: Call
  readonly tool: Tool
  readonly input: unknown
  /** The ids of the tool's handles, by argument. */
  readonly ids: ReadonlyMap<string, string>
  readonly state: State
  readonly settings: CallSettings
  readonly limitMs: number
}

type Answered = Readonly<Record<string, unknown>>

/** Asks the author's `ask`, within the time limit. */
export function askTool(
  checked: CheckedCall,
  answers: Answered,
  can: Abilities,
): Promise<Questions> {
  const { call, tool, limitMs } = checked
  return runWithin(
    limitMs,
    call.exchange,
    (signal) => tool.definition.ask?.(toAsking(checked, answers, can, signal)) ?? {},
  )
}

/** Runs the author's `run`, within the time limit, and gives what it returns. */
export function runTool(checked: CheckedCall, answers: Answered): Promise<unknown> {
  const { call, tool, limitMs } = checked
  return runWithin<unknown>(limitMs, call.exchange, (signal) =>
    tool.definition.run(toRunning(checked, answers, signal)),
  )
}

function toAsking(
  { call, tool, input, ids, state }: CheckedCall,
  answers: Answered,
  can: Abilities,
  signal: AbortSignal,
): Asking<unknown, Uses> {
  const { read, list } = createHandles(state.handles)
  const log = createLog(call.name, call.envelope, call.exchange)
  const use = openReaders(state.handles, tool.definition.uses ?? {}, ids)
  return { input, answers, can, use, env: call.exchange.env, signal, log, read, list }
}

function toRunning(
  { call, tool, input, ids, state }: CheckedCall,
  answers: Answered,
  signal: AbortSignal,
): Running<unknown, Answered, Uses> {
  const { exchange, envelope, name } = call
  return {
    input,
    answers,
    use: openUses(state.handles, tool.definition.uses ?? {}, ids),
    env: exchange.env,
    signal,
    log: createLog(name, envelope, exchange),
    progress: createProgress(envelope, exchange),
    notify: state.notify,
    ...createHandles(state.handles),
  }
}
