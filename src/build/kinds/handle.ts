import type { HandleKind } from '../../define/handle-kind.ts'
import type { AnyHandle } from '../../define/handle.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { type Describe, toForgery } from './evaluated.ts'
import {
  type MemberRule,
  type MemberRules,
  anything,
  findMemberProblems,
  mustBeFunction,
  mustBeFunctions,
  mustBeText,
} from './members.ts'

/**
 * Describes a kind of handle: its name. Names and lifetimes that cannot be are refused by
 * defineHandle itself, when its module is loaded.
 */
export const describeHandle: Describe = ({ made }, { tools }) => {
  if (!isHandle(made)) return toForgery('handle', 'defineHandle')
  const problems = findMemberProblems(toHandleRules(tools), { ...made.definition })
  if (problems.length > 0) return { problems }
  const { name, prefix } = made
  const named = {
    key: `name ${name}`,
    why: `All of these are handles named "${name}", under which each is stored. Rename one.`,
  }
  const prefixed = {
    key: `prefix ${prefix}`,
    why: `All of these give their ids the prefix "${prefix}". Choose another for one of them.`,
  }
  const claims = prefix === null ? [named] : [named, prefixed]
  return { section: 'handles', key: name, claims, members: { name } }
}

/** Tells what defineHandle made from what only looks like it. */
export function isHandle(made: unknown): made is HandleKind {
  if (!isJsonObject(made) || made['kind'] !== 'handle') return false
  return isJsonObject(made['definition']) && typeof made['checkState'] === 'function'
}

/** What may stand in the definition of a handle. */
export function toHandleRules(tools: readonly string[]): MemberRules {
  const members: Readonly<Record<keyof AnyHandle, MemberRule>> = {
    name: anything,
    prefix: anything,
    scope: (scope) => (scope === 'caller' ? null : 'is either "caller" or left out.'),
    idle: anything,
    max: anything,
    state: anything,
    start: mustBeFunction,
    verbs: mustBeFunctions,
    tables: mustBeText,
    sql: mustBeFunctions,
    perCaller: anything,
    jurisdiction: mustBeText,
    createdBy: (tool) => findCreatorProblem(tool, tools),
    onExpire: mustBeFunction,
  }
  return { what: 'handle', members, needed, elsewhere }
}

const needed = {
  state: 'It is a schema of what a handle holds.',
  start: 'It is the function that returns the first state.',
}

const elsewhere = {
  schema: 'is called `state` here.',
  initial: 'is called `start` here, and is a function.',
  methods: 'is called `verbs` here.',
  ttl: 'is `idle` here, the time without use, and `max`, the time in any case.',
  expires: 'is `idle` here, the time without use, and `max`, the time in any case.',
}

function findCreatorProblem(tool: unknown, tools: readonly string[]): string | null {
  if (typeof tool === 'string' && tools.includes(tool)) return null
  return `is ${JSON.stringify(tool)}, and no tool is called that. Name the one that returns new ids.`
}
