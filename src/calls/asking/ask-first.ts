import type { Deciding } from '../../define/running.ts'
import { fail, type Outcome } from '../../wire/outcome.ts'
import { toAbilities } from './abilities.ts'
import type { Call, CallSettings } from '../call.ts'
import { askQuestions, readRounds } from './questions.ts'

type Answers = Readonly<Record<string, unknown>>

/**
 * Asks what a prompt or a resource wants to know, and goes on when everything is answered. Nothing
 * is changed by either, so that neither has to be run once (basic/patterns/mrtr).
 */
export async function askFirst(
  call: Call,
  settings: CallSettings,
  ask: ((deciding: Deciding) => unknown) | undefined,
  goOn: (answers: Answers) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  if (ask === undefined && call.params['requestState'] === undefined) return goOn({})
  const rounds = await readRounds(call, settings, null)
  if (!rounds.ok) return rounds.outcome
  const can = toAbilities(call.envelope.clientCapabilities)
  const asked = await askQuestions(call, settings, rounds.state, can, (answers) =>
    ask === undefined ? {} : ask({ answers, can }),
  )
  switch (asked.kind) {
    case 'settled':
      return goOn(asked.answers)
    case 'ended':
      return asked.outcome
    case 'stopped':
      return fail({ kind: 'failed', why: asked.why })
  }
}
