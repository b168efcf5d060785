import { isJsonObject } from './json.ts'

/** What a user did with a form or a link (client/elicitation, "Response Actions"). */
export type ElicitResult =
  | { readonly action: 'accept'; readonly content: unknown }
  | { readonly action: 'decline' | 'cancel' }

/** Reads an answer to `elicitation/create`; its content is still the client's. */
export function readElicitResult(response: unknown): ElicitResult | null {
  if (!isJsonObject(response)) return null
  const { action, content } = response
  if (action === 'accept') return { action, content }
  return action === 'decline' || action === 'cancel' ? { action } : null
}
