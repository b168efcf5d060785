import type { Prompt } from '../../define/prompt.ts'
import { toPromptEntry } from '../../registry/prompt-entry.ts'
import { findPromptProblems } from '../../registry/prompt-problems.ts'
import { isJsonObject } from '../../wire/json.ts'
import { toForgery, toNameClaim, type Describe } from './describe.ts'
import { findMemberProblems } from './member-problems.ts'
import { findNameProblems } from './name-problems.ts'
import { promptRules } from './prompt-rules.ts'
import { findSchemaRefusals } from './schema-refusals.ts'

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
