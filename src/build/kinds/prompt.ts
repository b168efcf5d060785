import type { Prompt, PromptDefinition } from '../../define/prompt.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { findPromptProblems, toPromptEntry } from '../entries/prompt-entry.ts'
import { findSchemaRefusals } from '../schema/schema-problems.ts'
import { type Describe, toForgery, toNameClaim } from './evaluated.ts'
import {
  type MemberRule,
  type MemberRules,
  anything,
  findMemberProblems,
  findNameProblems,
  mustBeFlag,
  mustBeFunction,
  mustBeFunctions,
  mustBeIcons,
  mustBeScopes,
  mustBeText,
} from './members.ts'

/** Describes a prompt: its name, its entry in `prompts/list` and how its arguments are completed. */
export const describePrompt: Describe = ({ name: fileName, made }, { printOther }) => {
  if (!isPrompt(made)) return toForgery('prompt', 'definePrompt')
  const definition = { ...made.definition }
  const name = definition.name ?? fileName
  const flaws = [
    ...findNameProblems(name),
    ...findMemberProblems(promptRules, definition),
    ...findSchemaRefusals('input', definition, printOther),
  ]
  // what does not fit together shows only where each part is sound
  const problems = flaws.length > 0 ? flaws : findPromptProblems(made, printOther)
  if (problems.length > 0) return { problems }
  const members = { ...toPromptEntry(name, made, printOther) }
  return { section: 'prompts', key: name, claims: [toNameClaim(name)], members }
}

function isPrompt(made: unknown): made is Prompt {
  if (!isJsonObject(made) || made['kind'] !== 'prompt') return false
  return isJsonObject(made['definition']) && typeof made['checkInput'] === 'function'
}

const members: Readonly<Record<keyof PromptDefinition, MemberRule>> = {
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
