import type { HandleKind } from '../../define/handle-kind.ts'
import type { AnyHandle } from '../../define/handle.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { type Describe, notCreatedBy } from './describe.ts'
import {
  type MemberRule,
  type MemberRules,
  anyValue,
  findMemberProblems,
  mustBeFunction,
  mustBeFunctions,
  mustBeText,
} from './members.ts'

/**
 * Checks a kind of handle and creates its entry: its name. defineHandle itself refuses invalid names
 * and lifetimes, while the module is loaded.
 */
export const describeHandle: Describe = ({ exported }, { tools }) => {
  if (!isHandle(exported)) return notCreatedBy('defineHandle')
  const problems = findMemberProblems(toHandleRules(tools), { ...exported.definition })
  if (problems.length > 0) return { problems }
  const { name, prefix } = exported
  const named = {
    key: `name ${name}`,
    why: `These handles all have the name "${name}", under which they are stored. Rename all but one.`,
  }
  const prefixed = {
    key: `prefix ${prefix}`,
    why: `These handles all have the prefix "${prefix}". Give each a prefix of its own.`,
  }
  const uniqueKeys = prefix === null ? [named] : [named, prefixed]
  const stored = { Handles: ['the handle'] }
  return { section: 'handles', key: name, uniqueKeys, members: { name }, stored }
}

/** Whether defineHandle created a value, which `kind` alone does not prove. */
export function isHandle(exported: unknown): exported is HandleKind {
  if (!isJsonObject(exported) || exported['kind'] !== 'handle') return false
  return isJsonObject(exported['definition']) && typeof exported['checkState'] === 'function'
}

export function toHandleRules(tools: readonly string[]): MemberRules {
  const members: Readonly<Record<keyof AnyHandle, MemberRule>> = {
    name: anyValue,
    prefix: anyValue,
    scope: (scope) => (scope === 'caller' ? null : '`scope` must be "caller", or be left out.'),
    idle: anyValue,
    max: anyValue,
    state: anyValue,
    start: mustBeFunction,
    verbs: mustBeFunctions,
    tables: mustBeText,
    sql: mustBeFunctions,
    perCaller: anyValue,
    jurisdiction: mustBeText,
    createdBy: (tool) => findCreatorProblem(tool, tools),
    onExpire: mustBeFunction,
  }
  return { what: 'handle', members, required, otherNames }
}

const required = {
  state: 'It is the schema of the state.',
  start: 'It is the function that returns the initial state.',
}

const otherNames = {
  schema: 'is called `state` here.',
  initial: 'is called `start` here, and is a function.',
  methods: 'is called `verbs` here.',
  ttl: 'is called `idle` here, the time without use, and `max`, the time in any case.',
  expires: 'is called `idle` here, the time without use, and `max`, the time in any case.',
}

function findCreatorProblem(tool: unknown, tools: readonly string[]): string | null {
  if (typeof tool === 'string' && tools.includes(tool)) return null
  return (
    `\`createdBy\` is ${JSON.stringify(tool)}, but there is no tool with that name. Write the name of ` +
    'the tool that returns new ids.'
  )
}
