import type { Prompt } from '../define/prompt.ts'
import { fail, toMembers, type Outcome } from '../wire/outcome.ts'
import { askFirst } from './ask-first.ts'
import { attempt } from './attempt.ts'
import type { Call, CallSettings } from './call.ts'
import { createLog } from './log.ts'
import { toPromptMessages } from './prompt-messages.ts'
import { checkSize } from './size-limit.ts'

/** Fills in one prompt and prints the members of its result (server/prompts, "Getting a Prompt"). */
export function getPrompt(
  call: Call,
  load: () => Promise<{ readonly default: Prompt }>,
  settings: CallSettings,
): Promise<Outcome> {
  const { name, exchange, envelope } = call
  return attempt(`prompts/get ${name}`, exchange, async (signal) => {
    const { default: prompt } = await load()
    const checked = await prompt.checkInput(call.input)
    if (!checked.ok) {
      const why = `${name} cannot be filled in. ${checked.problems.join(' ')}`
      return fail({ kind: 'invalid-params', why })
    }
    const { definition } = prompt
    const log = createLog(name, envelope, exchange)
    const working = { input: checked.value, env: exchange.env, signal, log }
    return askFirst(
      call,
      settings,
      definition.ask && ((deciding) => definition.ask?.({ ...working, ...deciding }) ?? {}),
      async (answers) => {
        const returned = await definition.messages({ ...working, answers })
        const messages = toPromptMessages(name, returned)
        const members = toMembers({ description: definition.description, messages })
        return { kind: 'result', members: checkSize(name, members, settings.maxResultBytes) }
      },
    )
  })
}
