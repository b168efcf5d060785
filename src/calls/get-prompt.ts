import type { Prompt } from '../define/prompt.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { JsonObject } from '../wire/json.ts'
import { fail, toMembers, type Outcome } from '../wire/outcome.ts'
import { attempt } from './attempt.ts'
import { toPromptMessages } from './prompt-messages.ts'
import { checkSize } from './size-limit.ts'

/** Fills in one prompt and prints the members of its result (server/prompts, "Getting a Prompt"). */
export function getPrompt(
  name: string,
  load: () => Promise<{ readonly default: Prompt }>,
  input: JsonObject,
  exchange: Exchange,
  maxBytes: number,
): Promise<Outcome> {
  return attempt(`prompts/get ${name}`, exchange, async (signal) => {
    const { default: prompt } = await load()
    const checked = await prompt.checkInput(input)
    if (!checked.ok) {
      const why = `${name} cannot be filled in. ${checked.problems.join(' ')}`
      return fail({ kind: 'invalid-params', why })
    }
    const { definition } = prompt
    const returned = await definition.messages({
      input: checked.value,
      answers: {},
      env: exchange.env,
      signal,
    })
    const messages = toPromptMessages(name, returned)
    const members = toMembers({ description: definition.description, messages })
    return { kind: 'result', members: checkSize(name, members, maxBytes) }
  })
}
