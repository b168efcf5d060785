import {
  type Addressed,
  type Audience,
  type Lookup,
  isAudienceOf,
  toAudience,
} from '../cache/cache-key.ts'
import { toToolTags } from '../cache/purge.ts'
import type { Filled, Keeping } from '../cache/read-through.ts'
import type { ToolEntry } from '../define/registry.ts'
import { ToolError } from '../define/reply.ts'
import type { Tool } from '../define/tool.ts'
import { type Sanitizer, toToolSanitizer } from '../out/sanitizer.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { toClientAddress } from '../util/address.ts'
import { toMilliseconds } from '../util/duration.ts'
import { logIncident, logNotice, toDetail } from '../out/log.ts'
import { follow } from '../util/microtasks.ts'
import { ClientGone, TimeLimitExceeded } from './attempt.ts'
import {
  type Call,
  type CallSettings,
  type CheckedCall,
  type ToolCall,
  askTool,
  runInTime,
  runTool,
  toErrors,
} from './checked-call.ts'
import { findParamMismatch } from './envelope.ts'
import { toFillCall } from './fills.ts'
import { countCall, runParallel } from './limits.ts'
import { createListMethod } from './lists.ts'
import {
  type FillSettings,
  type Method,
  type MethodSettings,
  type Methods,
  isRetry,
} from './methods.ts'
import { findRun, isOnce, runOnce } from './once.ts'
import {
  type Asked,
  type Rounds,
  askQuestions,
  readRounds,
  toAbilities,
} from './questions/questions.ts'
import { printReturned } from './tool-result.ts'
import { readUses } from './uses.ts'
import { isOpen, refuse } from './visibility.ts'

/** Makes the methods of the tools there are; none where there are none (server/tools). */
export function createToolMethods(
  entries: readonly ToolEntry[],
  settings: MethodSettings,
): Methods {
  if (entries.length === 0) return new Map()
  const listed = entries.map((entry) => ({ ...entry, key: entry.name }))
  return new Map([
    ['tools/list', createListMethod('tools', listed, settings)],
    ['tools/call', createToolsCall(entries, settings)],
  ])
}

function createToolsCall(entries: readonly ToolEntry[], settings: MethodSettings): Method {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return async ({ params }, exchange, envelope): Promise<Outcome> => {
    const { name, arguments: input = {} } = params
    const entry = typeof name === 'string' ? byName.get(name) : undefined
    const unknown = (): Outcome => invalid(`Unknown tool: ${String(name)}`)
    if (entry === undefined) return unknown()
    const refused = await refuse(entry, exchange, unknown)
    if (refused !== null) return refused
    if (!isJsonObject(input)) return invalid('params.arguments must be an object.')
    const why = findParamMismatch(entry.headers, exchange.headers, input)
    if (why !== null) return fail({ kind: 'header-mismatch', why })
    const { default: tool } = await entry.load()
    const call = { ...toToolRequest(entry.name, input), params, exchange, envelope }
    const { cache } = entry
    if (cache === null || isRetry(params)) return await callTool(call, tool, settings)
    return callTool(call, tool, settings, () => {
      const lookup = { method: 'tools/call', name: entry.name, input } as const
      const audience = toAudience(toAddressed(entry, cache), exchange.caller)
      return settings.keep({ lookup, audience, keeping: toKeeping(entry.name, cache) }, exchange)
    })
  }
}

/** Makes what runs tools for the cache; `null` for one whose results are not kept. */
export function createToolFill(
  entries: readonly ToolEntry[],
  settings: FillSettings,
): (lookup: ToolLookup, audience: Audience, exchange: Exchange) => Promise<Filled | null> {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return async ({ name, input }, audience, exchange) => {
    const entry = byName.get(name)
    if (entry === undefined || entry.cache === null) return null
    if (!isAudienceOf(audience, toAddressed(entry, entry.cache))) return null
    const { default: tool } = await entry.load()
    const outcome = await fillTool(toFillCall(toToolRequest(name, input), exchange), tool, settings)
    return { outcome, keeping: toKeeping(name, entry.cache) }
  }
}

type ToolLookup = Lookup & { readonly method: 'tools/call' }

function toAddressed(entry: ToolEntry, { shared }: { readonly shared: boolean }): Addressed {
  return { key: entry.name, shared, isOpen: isOpen(entry) }
}

function toToolRequest(name: string, input: JsonObject) {
  return { method: 'tools/call', name, input } as const
}

function toKeeping(name: string, { ttlMs, staleMs }: Omit<Keeping, 'tags'>): Keeping {
  return { ttlMs, staleMs, tags: toToolTags(name) }
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}

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
async function fillTool(call: Call, tool: Tool, settings: CallSettings): Promise<Outcome> {
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

/**
 * Asks what a tool wants to know, and runs it when everything is answered. Questions come before
 * work, so that no side effect happens twice; and a call that has asked runs once, however often its
 * last round is sent (basic/patterns/mrtr).
 */
async function askThenRun(checked: CheckedCall, rounds: Rounds | null): Promise<Outcome> {
  if (rounds === null) return toResult(await run(checked, {}))
  if (!rounds.isRetry) return conclude(checked, await ask(checked, rounds))
  if (isOnce(checked.tool)) return continueOnce(checked, rounds)
  const asked = await ask(checked, rounds)
  // no claim keeps this run from being sent again and again, so that it counts against its own state
  const refusal = asked.kind === 'settled' ? await countCall(checked, rounds.state.nonce) : null
  return refusal === null ? conclude(checked, asked) : toResult(toErrors(checked, refusal))
}

/** A retry: its call may have been run by another one, which settles it whatever is asked now. */
async function continueOnce(checked: CheckedCall, rounds: Rounds): Promise<Outcome> {
  const { call, state, limitMs } = checked
  const { nonce } = rounds.state
  const [asked] = await Promise.allSettled([ask(checked, rounds)])
  if (asked.status === 'fulfilled' && asked.value.kind === 'settled') {
    const { answers } = asked.value
    const work = (): Promise<string> => run(checked, answers)
    return toResult(await runOnce(call.name, state.claims, nonce, limitMs, work))
  }
  // the run may have ended what the questions are about: a basket that is paid for is gone
  const ran = await findRun(call.name, state.claims, nonce)
  if (ran !== null) return toResult(ran)
  if (asked.status === 'rejected') throw asked.reason
  return conclude(checked, asked.value)
}

async function conclude(checked: CheckedCall, asked: Asked): Promise<Outcome> {
  switch (asked.kind) {
    case 'settled':
      return toResult(await run(checked, asked.answers))
    case 'ended':
      return asked.outcome
    case 'stopped':
      return toResult(toErrors(checked, asked.why))
  }
}

function ask(checked: CheckedCall, { state }: Rounds): Promise<Asked> {
  const { call, settings } = checked
  const can = toAbilities(call.envelope.clientCapabilities)
  return runInTime(checked, (signal) =>
    askQuestions(call, settings, state, can, (answers) => askTool(checked, answers, can, signal)),
  )
}

/** Runs the tool. A failure is a result too, and is what those who come again are told. */
async function run(
  checked: CheckedCall,
  answers: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { call, tool, sanitizer, settings } = checked
  try {
    return await runInTime(checked, (signal) =>
      follow(toNative(runTool(checked, answers, signal)), (returned) =>
        printReturned(call.name, tool, returned, sanitizer, settings.maxResultBytes),
      ),
    )
  } catch (error) {
    // nobody is there to be told, and nobody knows how far it came
    if (error instanceof ClientGone) throw error
    return toErrors(checked, explainToolFailure(call.name, tool, error, sanitizer))
  }
}

/** Makes a promise of any make, such as a query builder, one that `follow` knows. */
function toNative(returned: unknown): unknown {
  return isJsonObject(returned) && 'then' in returned ? Promise.resolve(returned) : returned
}

function toResult(members: string): Outcome {
  return { kind: 'result', members }
}

/** How long a tool may take that says nothing else. */
const defaultTimeout = '30s'

/**
 * What a model is told of a failure. A `ToolError` was written for it; anything else may carry hosts,
 * queries or secrets, so it goes to the log and only its id goes out.
 */
function explainToolFailure(
  name: string,
  { definition }: Tool,
  error: unknown,
  { mask }: Sanitizer,
): string {
  if (error instanceof ToolError) {
    if (error.cause !== undefined) logNotice(`tools/call ${name}`, mask(toDetail(error.cause)))
    return error.message
  }
  if (error instanceof TimeLimitExceeded) {
    const limit = definition.timeout ?? defaultTimeout
    return `${name} did not finish within ${limit} and was stopped. Ask for less, or try again later.`
  }
  // no fault of anybody: there is nobody left to tell
  if (error instanceof ClientGone) return error.message
  const errorId = logIncident(`tools/call ${name}`, error, mask)
  return `${name} failed because of a fault on the server, not of your input. Error id: ${errorId}.`
}
