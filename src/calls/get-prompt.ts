import type { Prompt } from '../define/prompt.ts'
import { fail, toMembers, type Outcome } from '../wire/outcome.ts'
import { askFirst } from './asking/ask-first.ts'
import { attempt } from './attempt.ts'
import type { Call, CallSettings } from './call.ts'
import { toPromptMessages } from './results/prompt-messages.ts'
import { sanitizeMessage } from './sanitize/content.ts'
import { checkSize } from './results/size-limit.ts'
import { toWorking } from './working.ts'

/** Fills in one prompt and prints the members of its result (server/prompts, "Getting a Prompt"). */
export function getPrompt(
  call: Call,
  load: () => Promise<{ readonly default: Prompt }>,
  settings: CallSettings,
): Promise<Outcome> {
  const { name, exchange } = call
  return attempt(`prompts/get ${name}`, exchange, async (signal) => {
    const { default: prompt } = await load()
    const checked = await prompt.checkInput(call.input)
    if (!checked.ok) {
      const why = `${name} cannot be filled in. ${checked.problems.join(' ')}`
      return fail({ kind: 'invalid-params', why })
    }
    const { definition } = prompt
    const sanitizer = settings.openSanitizer(exchange.env)
    const working = { ...toWorking(call, sanitizer, signal), input: checked.value }
    return askFirst(
      call,
      settings,
      definition.ask && ((deciding) => definition.ask?.({ ...working, ...deciding })),
      async (answers) => {
        const returned = await definition.messages({ ...working, answers })
        const messages = toPromptMessages(name, returned).map((message) =>
          sanitizeMessage(message, sanitizer),
        )
        const members = toMembers({ description: definition.description, messages })
        return { kind: 'result', members: checkSize(name, members, settings.maxResultBytes) }
      },
    )
  })
}
