import type { PromptDefinition } from '../../define/prompt.ts'
import type { Questions } from '../../define/question.ts'
import type { Schema } from '../../schema/standard.ts'
import type { MemberRules } from './member-problems.ts'
import { anything, mustBeFlag, mustBeFunction, mustBeFunctions } from './member-rule.ts'
import { mustBeIcons, mustBeScopes, mustBeText, type MemberRule } from './member-rule.ts'

const members: Readonly<Record<keyof PromptDefinition<Schema, Questions>, MemberRule>> = {
  name: anything,
  title: mustBeText,
  description: mustBeText,
  icons: mustBeIcons,
  input: anything,
  complete: mustBeFunctions,
  scopes: mustBeScopes,
  conceal: mustBeFlag,
  visible: mustBeFunction,
  ask: mustBeFunction,
  messages: mustBeFunction,
}

/** What may stand in a prompt's definition. Its name and its schema are looked at elsewhere. */
export const promptRules: MemberRules = {
  what: 'prompt',
  members,
  needed: {
    description: 'Say what the prompt is for: a person chooses by it.',
    messages: 'It is the function that returns what is said.',
  },
  elsewhere: {
    arguments: 'is called `input` here, and is a schema.',
    args: 'is called `input` here, and is a schema.',
    argsSchema: 'is called `input` here.',
    inputSchema: 'is called `input` here.',
    run: 'is called `messages` here.',
    get: 'is called `messages` here.',
    handler: 'is called `messages` here.',
  },
}
