import type { Prompt, PromptDefinition } from '../../define/prompt.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { findPromptProblems, toPromptEntry } from '../entries/prompt-entry.ts'
import { findSchemaRefusals } from '../schema/schema-problems.ts'
import { type Describe, notCreatedBy, toUniqueName } from './describe.ts'
import {
  type MemberRule,
  type MemberRules,
  anyValue,
  findMemberProblems,
  findNameProblems,
  mustBeFlag,
  mustBeFunction,
  mustBeFunctions,
  mustBeIcons,
  mustBeScopes,
  mustBeText,
} from './members.ts'

/** Checks a prompt and creates its entry: its name, its listing and its completions. */
export const describePrompt: Describe = ({ name: fileName, exported }, { printOther }) => {
  if (!isPrompt(exported)) return notCreatedBy('definePrompt')
  const definition = { ...exported.definition }
  const name = definition.name ?? fileName
  const flaws = [
    ...findNameProblems(name),
    ...findMemberProblems(promptRules, definition),
    ...findSchemaRefusals('input', definition, printOther),
  ]
  // how the parts fit together can be checked only when each part is valid
  const problems = flaws.length > 0 ? flaws : findPromptProblems(exported, printOther)
  if (problems.length > 0) return { problems }
  const members = { ...toPromptEntry(name, exported, printOther) }
  const asks = { Hub: ['`ask` without STATE_KEY'], Bridge: ['`ask`'] }
  const stored = definition.ask === undefined ? {} : asks
  return { section: 'prompts', key: name, uniqueKeys: [toUniqueName(name)], members, stored }
}

function isPrompt(exported: unknown): exported is Prompt {
  if (!isJsonObject(exported) || exported['kind'] !== 'prompt') return false
  return isJsonObject(exported['definition']) && typeof exported['checkInput'] === 'function'
}

const members: Readonly<Record<keyof PromptDefinition, MemberRule>> = {
  name: anyValue,
  title: mustBeText,
  description: mustBeText,
  icons: mustBeIcons,
  input: anyValue,
  complete: mustBeFunctions,
  scopes: mustBeScopes,
  conceal: mustBeFlag,
  visible: mustBeFunction,
  ask: mustBeFunction,
  messages: mustBeFunction,
}

/** The options of a prompt. Its name and its schema are checked elsewhere. */
export const promptRules: MemberRules = {
  what: 'prompt',
  members,
  required: {
    description: 'It tells people what the prompt is for.',
    messages: 'It is the function that returns the messages.',
  },
  otherNames: {
    arguments: 'is called `input` here, and is a schema.',
    args: 'is called `input` here, and is a schema.',
    argsSchema: 'is called `input` here.',
    inputSchema: 'is called `input` here.',
    run: 'is called `messages` here.',
    get: 'is called `messages` here.',
    handler: 'is called `messages` here.',
  },
}
