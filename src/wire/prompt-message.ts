import type { Content } from './content.ts'

/** One message of a prompt (server/prompts, "PromptMessage"). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Content
}
