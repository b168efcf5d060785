import { createCheck } from '../schema/check.ts'
import { toFormSchema } from '../schema/form.ts'
import type { OutputOf, Schema } from '../schema/standard.ts'
import { readElicitResult } from '../wire/elicit-result.ts'
import type { AskOptions, Told } from './ask-options.ts'
import type { AskedQuestion } from './question.ts'

/** What a form answers: its content, or with `declined: 'tell'` what the user did. */
export type FormAnswer<S extends Schema, Options extends AskOptions> = Told<
  Options,
  { readonly action: 'accept'; readonly content: OutputOf<S> },
  OutputOf<S>
>

/**
 * Asks the user to fill in a form. The schema is a flat object of strings, numbers, booleans and
 * choices; a schema without fields asks for a plain yes. Never ask for passwords, keys or card
 * numbers this way, as the client and its model see them: use {@link link}.
 *
 * The message and the schema are the question: when either changes between two rounds, the user is
 * asked again. The specification's page is client/elicitation.
 *
 * @throws {TypeError} when a form cannot carry the schema; the message names the field and why.
 * @example form('Pay for 3 items?', z.object({ pay: z.boolean() }))
 */
export function form<S extends Schema, const Options extends AskOptions = AskOptions>(
  message: string,
  schema: S,
  options?: Options,
): AskedQuestion<FormAnswer<S, Options>> {
  const tell = options?.declined === 'tell'
  return {
    request: {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: toFormSchema(schema) },
    },
    capability: 'form',
    unasked: options?.unasked ?? 'ignore',
    async read(response) {
      const result = readElicitResult(response)
      if (result === null) return { kind: 'invalid' }
      const { action } = result
      if (action !== 'accept') {
        return tell ? { kind: 'answered', answer: { action } } : { kind: 'declined', action }
      }
      // clients leave the content of a form without fields away
      const checked = await createCheck(schema)(result.content ?? {})
      if (!checked.ok) return { kind: 'invalid' }
      const content = checked.value
      return { kind: 'answered', answer: tell ? { action, content } : content }
    },
  }
}
