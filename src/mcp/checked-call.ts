import type {
  Abilities,
  AskContext,
  CachedRunContext,
  RunContext,
  WithCaller,
} from '../define/contexts.ts'
import type { Uses } from '../define/handles.ts'
import type { Tool } from '../define/tool.ts'
import type { OpenSanitizer, Sanitizer } from '../out/sanitizer.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Envelope } from '../protocol/meta.ts'
import { createHandles, openReaders, openUses } from '../state/handles.ts'
import type { OpenState, State } from '../state/state.ts'
import { runWithin } from './attempt.ts'
import {
  absentWhereKept,
  absentWhereShared,
  createProgress,
  toWorking,
  withAbsent,
} from './contexts.ts'
import type { LimitSettings } from './limits.ts'
import { toErrorMembers } from './tool-result.ts'

/** A tool call with all that it works with. */
export interface ToolCall {
  readonly call: Call
  readonly tool: Tool
  readonly state: State
  readonly settings: CallSettings
  readonly sanitizer: Sanitizer
  /** Whom limits count: the caller's digest, or else the client's address. */
  readonly who: string
  readonly limitMs: number
  /** Milliseconds since 1970 at which its time is over: checks, questions and run share it. */
  readonly deadline: number
}

/** A tool call whose arguments are in order. */
export interface CheckedCall extends ToolCall {
  readonly input: unknown
  /** The ids of the tool's handles, by argument. */
  readonly ids: ReadonlyMap<string, string>
}

type Answered = Readonly<Record<string, unknown>>

/** Does a part of a call in what is left of its time. */
export function runInTime<Value>(
  { call, deadline }: ToolCall,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  return runWithin(Math.max(deadline - Date.now(), 0), call.exchange, work)
}

/** The members of the result that tells a model why a call failed. */
export function toErrors({ sanitizer, settings }: ToolCall, why: string): string {
  return toErrorMembers(sanitizer.text(why), settings.maxResultBytes)
}

/** Asks the author's `ask`; what it returns is still to be read. */
export function askTool(
  checked: CheckedCall,
  answers: Answered,
  can: Abilities,
  signal: AbortSignal,
): unknown {
  const { definition } = checked.tool
  if (definition.ask === undefined) return {}
  return definition.ask(toAsking(checked, answers, can, signal))
}

/** Runs the author's `run`, and gives what it returns. */
export function runTool(checked: CheckedCall, answers: Answered, signal: AbortSignal): unknown {
  const { definition } = checked.tool
  if (definition.cache === undefined) return definition.run(toRunning(checked, answers, signal))
  const { caller, ...caching } = toCaching(checked, signal)
  // what is the same for everybody must not be told who asks
  return definition.shared === true
    ? definition.run(withAbsent(absentWhereShared, caching))
    : definition.run(withAbsent(absentWhereKept, { ...caching, caller }))
}

function toAsking(
  { call, tool, input, ids, state, sanitizer }: CheckedCall,
  answers: Answered,
  can: Abilities,
  signal: AbortSignal,
): AskContext<unknown, Uses> {
  const { read, list } = createHandles(state.handles)
  const use = openReaders(state.handles, tool.definition.uses ?? {}, ids)
  return { ...toWorking(call, sanitizer, signal), input, answers, can, use, read, list }
}

function toCaching(
  { call, input, sanitizer }: CheckedCall,
  signal: AbortSignal,
): CachedRunContext<unknown> & WithCaller {
  const { trace: _, ...working } = toWorking(call, sanitizer, signal)
  return { ...working, input }
}

function toRunning(
  { call, tool, input, ids, state, sanitizer }: CheckedCall,
  answers: Answered,
  signal: AbortSignal,
): RunContext<unknown, Answered, Uses> {
  return {
    ...toWorking(call, sanitizer, signal),
    ...createHandles(state.handles),
    input,
    answers,
    use: openUses(state.handles, tool.definition.uses ?? {}, ids),
    progress: createProgress(call.envelope, call.exchange, sanitizer),
    notify: state.notify,
    purge: state.purge,
  }
}

/** One request that an author's code answers, with all that came with it. */
export interface Call {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read'
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string
  /** The arguments as the client sent them. */
  readonly input: JsonObject
  /** The whole parameters: the answers of earlier rounds are in them. */
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly envelope: Envelope
}

/** What every call of this Worker has in common. */
export interface CallSettings {
  /** How many bytes of UTF-8 one result may have. */
  readonly maxResultBytes: number
  readonly openState: OpenState
  readonly openSanitizer: OpenSanitizer
  readonly limits: LimitSettings
}
