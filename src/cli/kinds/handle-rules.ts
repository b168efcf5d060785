import type {
  ByCaller,
  ById,
  HandleDefinition,
  SqlVerbs,
  Verbs,
} from '../../define/handle-definition.ts'
import type { StandardSchema } from '../../schema/standard.ts'
import type { MemberRules } from './member-problems.ts'
import { anything, mustBeFunction, mustBeFunctions } from './member-rule.ts'
import { mustBeText, type MemberRule } from './member-rule.ts'

type Definition = HandleDefinition<StandardSchema, never, Verbs<unknown>, SqlVerbs<unknown>>
type Key = keyof Definition | keyof ById | keyof ByCaller

/** What may stand in the definition of a handle. */
export function toHandleRules(tools: readonly string[]): MemberRules {
  const members: Readonly<Record<Key, MemberRule>> = {
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
