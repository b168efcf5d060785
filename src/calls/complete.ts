import type { Prompt } from '../define/prompt.ts'
import type { Resource } from '../define/resource.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Outcome } from '../wire/outcome.ts'
import { attempt } from './attempt.ts'
import { suggestOptions, toCompletionMembers } from './results/completion-result.ts'

/** What is completed, whose definition knows how. */
export interface CompletionTarget {
  /** The prompt's name or the resource's URI, and the argument's name. */
  readonly of: string
  readonly argument: string
  readonly suggestions: readonly string[] | 'completer'
  readonly load: () => Promise<{ readonly default: Prompt | Resource }>
}

/** Completes one argument (server/utilities/completion, "Requesting Completions"). */
export function complete(
  { of, argument, suggestions, load }: CompletionTarget,
  typed: { readonly value: string; readonly chosen: Readonly<Record<string, string>> },
  exchange: Exchange,
): Promise<Outcome> {
  const what = `${argument} of ${of}`
  return attempt(`completion/complete ${what}`, exchange, async (signal) => {
    const { value } = typed
    if (suggestions !== 'completer') {
      const members = toCompletionMembers(what, suggestOptions(suggestions, value))
      return { kind: 'result', members }
    }
    const { default: made } = await load()
    const completer = made.definition.complete?.[argument]
    const returned = await completer?.({ ...typed, env: exchange.env, signal })
    return { kind: 'result', members: toCompletionMembers(what, returned) }
  })
}
