import type { HandleKind } from '../../define/handle-kind.ts'
import { isJsonObject } from '../../wire/json.ts'
import { toForgery, type Describe } from './describe.ts'
import { toHandleRules } from './handle-rules.ts'
import { findMemberProblems } from './member-problems.ts'

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
