import { findCreator, type CreatorOf } from '../../define/handle-creator.ts'
import type { Tool } from '../../define/tool.ts'
import { toToolEntry } from '../../registry/tool-entry.ts'
import { isJsonObject } from '../../wire/json.ts'
import { findCacheProblems } from './cache-problems.ts'
import { toForgery, toNameClaim, type Describe } from './describe.ts'
import { findMemberProblems } from './member-problems.ts'
import { findNameProblems } from './name-problems.ts'
import { findSchemaRefusals } from './schema-refusals.ts'
import { toToolRules } from './tool-rules.ts'

/** Describes a tool: its name, its entry in `tools/list` and its parameter headers. */
export const describeTool: Describe = ({ name: fileName, made }, surroundings) => {
  if (!isTool(made)) return toForgery('tool', 'defineTool')
  const definition = { ...made.definition }
  const { printOther, creators } = surroundings
  const name = definition.name ?? fileName
  const problems = [
    ...findNameProblems(name),
    ...findMemberProblems(toToolRules(surroundings), definition),
    ...findCacheProblems(definition),
    ...findSchemaRefusals('input', definition, printOther),
    ...findSchemaRefusals('output', definition, printOther),
  ]
  if (problems.length > 0) return { problems }
  const creatorOf: CreatorOf = (kind) => findCreator(kind, creators)
  const { entry, problems: misplaced } = toToolEntry(name, made, { printOther, creatorOf })
  if (misplaced.length > 0) return { problems: misplaced.map((why) => `\`input\`: ${why}`) }
  return { section: 'tools', key: name, claims: [toNameClaim(name)], members: { ...entry } }
}

/** Tells what defineTool made from what only looks like it. */
export function isTool(made: unknown): made is Tool {
  if (!isJsonObject(made) || made['kind'] !== 'tool') return false
  return isJsonObject(made['definition']) && typeof made['checkInput'] === 'function'
}
