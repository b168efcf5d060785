import { follow } from '../kit/follow.ts'
import { isJsonObject } from '../wire/json.ts'
import type { Outcome } from '../wire/outcome.ts'
import { toAbilities } from './asking/abilities.ts'
import { askTool, runInTime, runTool, toErrors, type CheckedCall } from './checked-call.ts'
import { countCall } from './limits/count-call.ts'
import { findRun, isOnce, runOnce } from './once.ts'
import { printReturned } from './results/print-returned.ts'
import { askQuestions, type Asked, type Rounds } from './asking/questions.ts'
import { ClientGone } from './time-limit.ts'
import { explainToolFailure } from './tool-failure.ts'

/**
 * Asks what a tool wants to know, and runs it when everything is answered. Questions come before
 * work, so that no side effect happens twice; and a call that has asked runs once, however often its
 * last round is sent (basic/patterns/mrtr).
 */
export async function askThenRun(checked: CheckedCall, rounds: Rounds | null): Promise<Outcome> {
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
