import type { Tool } from '../define/tool.ts'
import { readUses } from '../define/uses-input.ts'
import { toClientAddress } from '../kit/client-address.ts'
import { toMilliseconds } from '../kit/duration.ts'
import type { Outcome } from '../wire/outcome.ts'
import { askThenRun } from './ask-then-run.ts'
import type { Call, CallSettings } from './call.ts'
import { runInTime, toErrors, type ToolCall } from './checked-call.ts'
import { countCall } from './limits/count-call.ts'
import { isOnce } from './once.ts'
import { runParallel } from './limits/parallel.ts'
import { readRounds, type Rounds } from './asking/questions.ts'
import { toToolSanitizer } from './sanitize/sanitizer.ts'
import { defaultTimeout, explainToolFailure } from './tool-failure.ts'

/**
 * Answers one tool call. Whatever goes wrong inside a tool is a result too, marked `isError`, since
 * the model is the one who can do something about it (server/tools, "Error Handling").
 *
 * @param keep gives the result from where results are kept, of a tool for which that can be: each
 * call is counted, and only what is not there is run.
 */
export async function callTool(
  call: Call,
  tool: Tool,
  settings: CallSettings,
  keep: (() => Promise<Outcome>) | null = null,
): Promise<Outcome> {
  const made = toToolCall(call, tool, settings)
  const { name } = call
  const { parallel, hints } = tool.definition
  const { who, limitMs } = made
  return orFailed(made, async () => {
    if (parallel === undefined) return await answer(made, keep)
    const { limits } = made.state
    const { whenUnreachable } = settings.limits
    const place = { name, parallel, hints, who, limitMs, limits, whenUnreachable }
    const ran = await runParallel(place, () => answer(made, keep))
    return ran.ok ? ran.value : toFailed(made, ran.why)
  })
}

/** Makes the result of a tool with `cache`, to be kept: who called has been counted already. */
export async function fillTool(call: Call, tool: Tool, settings: CallSettings): Promise<Outcome> {
  const made = toToolCall(call, tool, settings)
  return orFailed(made, () => checkThenRun(made, null))
}

async function answer(made: ToolCall, keep: (() => Promise<Outcome>) | null): Promise<Outcome> {
  const { call, tool, state, settings } = made
  // a client that brings a state has to be heard, if only to refuse what we never sealed
  const isAsked = tool.definition.ask !== undefined || call.params['requestState'] !== undefined
  const createNonce = isOnce(tool) ? state.claims.createNonce : () => crypto.randomUUID()
  const rounds = isAsked ? await readRounds(call, settings, createNonce) : null
  // all rounds are one call: who proves to be in the middle of one was counted at its beginning
  const wasCounted = rounds !== null && rounds.ok && rounds.isRetry
  const counting = wasCounted ? null : countCall(made, made.who)
  const refusal = counting === null ? null : await counting
  if (refusal !== null) return toFailed(made, refusal)
  if (rounds !== null && !rounds.ok) return rounds.outcome
  return keep === null ? checkThenRun(made, rounds) : runInTime(made, keep)
}

async function checkThenRun(made: ToolCall, rounds: Rounds | null): Promise<Outcome> {
  const { call, tool, state } = made
  const taken = readUses(call.input, tool.definition.uses ?? {}, state.handles.creatorOf)
  if (!taken.ok) return toFailed(made, taken.problems.join(' '))
  // most schemas check at once, and what waits for nothing takes no turn
  const checking = tool.checkInput(taken.input)
  const checked = checking instanceof Promise ? await runInTime(made, () => checking) : checking
  if (!checked.ok) return toFailed(made, `${call.name} was not run. ${checked.problems.join(' ')}`)
  return await askThenRun({ ...made, input: checked.value, ids: taken.ids }, rounds)
}

function toToolCall(call: Call, tool: Tool, settings: CallSettings): ToolCall {
  const { exchange } = call
  const { timeout = defaultTimeout, sanitize } = tool.definition
  const sanitizer = toToolSanitizer(settings.openSanitizer(exchange.env), sanitize)
  const state = settings.openState(exchange)
  const who = exchange.callerDigest ?? toClientAddress(exchange.headers)
  const limitMs = toMilliseconds(timeout)
  return { call, tool, state, settings, sanitizer, who, limitMs, deadline: Date.now() + limitMs }
}

async function orFailed(made: ToolCall, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    return toFailed(made, explainToolFailure(made.call.name, made.tool, error, made.sanitizer))
  }
}

function toFailed(made: ToolCall, why: string): Outcome {
  return { kind: 'result', members: toErrors(made, why) }
}
