import type { Tool } from '../define/tool.ts'
import type { Outcome } from '../wire/outcome.ts'
import { toAbilities } from './abilities.ts'
import { runTool, askTool, type CheckedCall } from './checked-call.ts'
import { findRun, runOnce } from './once.ts'
import { printReturned } from './print-returned.ts'
import { askQuestions, readRounds, type Asked } from './questions.ts'
import type { RoundState } from './round-state.ts'
import { ClientGone } from './time-limit.ts'
import { explainToolFailure } from './tool-failure.ts'
import { toErrorMembers } from './tool-result.ts'

/**
 * Asks what a tool wants to know, and runs it when everything is answered. Questions come before
 * work, so that no side effect happens twice; and a call that has asked runs once, however often its
 * last round is sent (basic/patterns/mrtr).
 */
export async function askThenRun(checked: CheckedCall): Promise<Outcome> {
  const { call, tool, state, settings } = checked
  // a client that brings a state has to be heard, if only to refuse what we never sealed
  if (!asks(tool) && call.params['requestState'] === undefined)
    return toResult(await run(checked, {}))

  const rounds = await readRounds(call, settings, isOnce(checked) ? state.claims.createNonce : null)
  if (!rounds.ok) return rounds.outcome
  return isOnce(checked) && rounds.isRetry
    ? continueOnce(checked, rounds.state)
    : conclude(checked, await ask(checked, rounds.state))
}

function asks({ definition }: Tool): boolean {
  return definition.ask !== undefined
}

function isOnce({ tool }: CheckedCall): boolean {
  const { hints = {} } = tool.definition
  return asks(tool) && hints.idempotent !== true && hints.readOnly !== true
}

/** A retry: its call may have been run by another one, which settles it whatever is asked now. */
async function continueOnce(checked: CheckedCall, rounds: RoundState): Promise<Outcome> {
  const { call, state, limitMs } = checked
  const [asked] = await Promise.allSettled([ask(checked, rounds)])
  if (asked.status === 'fulfilled' && asked.value.kind === 'settled') {
    const { answers } = asked.value
    const work = (): Promise<string> => run(checked, answers)
    return toResult(await runOnce(call.name, state.claims, rounds.nonce, limitMs, work))
  }
  // the run may have ended what the questions are about: a basket that is paid for is gone
  const ran = await findRun(call.name, state.claims, rounds.nonce)
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
      return toResult(toErrorMembers(asked.why))
  }
}

function ask(checked: CheckedCall, rounds: RoundState): Promise<Asked> {
  const can = toAbilities(checked.call.envelope.clientCapabilities)
  return askQuestions(checked.call, checked.settings, rounds, can, (answers) =>
    askTool(checked, answers, can),
  )
}

/** Runs the tool. A failure is a result too, and is what those who come again are told. */
async function run(
  checked: CheckedCall,
  answers: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { call, tool, settings } = checked
  try {
    const returned = await runTool(checked, answers)
    return await printReturned(call.name, tool, returned, settings.maxResultBytes)
  } catch (error) {
    // nobody is there to be told, and nobody knows how far it came
    if (error instanceof ClientGone) throw error
    return toErrorMembers(explainToolFailure(call.name, tool, error))
  }
}

function toResult(members: string): Outcome {
  return { kind: 'result', members }
}
