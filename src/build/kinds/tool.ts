import { type CreatorOf, findCreator } from '../../define/handle-kind.ts'
import type { Tool, ToolDefinition } from '../../define/tool.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { isDuration, toMilliseconds } from '../../util/duration.ts'
import { hintNames, toToolEntry } from '../entries/tool-entry.ts'
import { findSchemaRefusals } from '../schema/schema-problems.ts'
import { type Describe, type Surroundings, toForgery, toNameClaim } from './evaluated.ts'
import { isHandle } from './handle.ts'
import {
  type MemberRule,
  type MemberRules,
  anything,
  findCacheProblems,
  findMemberProblems,
  findNameProblems,
  mustBeFlag,
  mustBeFunction,
  mustBeIcons,
  mustBeKeepable,
  mustBeScopes,
  mustBeText,
  mustBeTime,
} from './members.ts'

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

type Key = keyof ToolDefinition

/** What may stand in a tool's definition. Its name and its schemas are looked at elsewhere. */
export function toToolRules({ limits, handles }: Surroundings): MemberRules {
  const members: Readonly<Record<Key, MemberRule>> = {
    name: anything,
    title: mustBeText,
    description: mustBeText,
    icons: mustBeIcons,
    uses: toUsesRule(handles),
    input: anything,
    output: anything,
    hints: findHintProblem,
    limit: (limit) => findLimitProblem(limit, limits),
    parallel: (most) =>
      Number.isSafeInteger(most) && Number(most) > 0 ? null : 'is no number of calls, 1 or more.',
    sanitize: (value) =>
      value === false || typeof value === 'function' ? null : 'is neither false nor a function.',
    cache: mustBeKeepable,
    stale: mustBeTime('time to send the old result', '"10m" or "1h"'),
    shared: mustBeFlag,
    timeout: mustBeTime('time limit', '"20s" or "2m"'),
    scopes: mustBeScopes,
    conceal: mustBeFlag,
    visible: mustBeFunction,
    ask: mustBeFunction,
    run: mustBeFunction,
  }
  return { what: 'tool', members, needed, elsewhere }
}

const needed = {
  description: 'Say what the tool does and when to use it: a model chooses by it.',
  run: 'It is the function that does the work.',
}

const elsewhere = {
  cacheScope: 'is computed from what the list depends on, never typed. Leave it out.',
  public: 'is computed: a list is public where nothing in it depends on the caller. Leave it out.',
  inputSchema: 'is called `input` here.',
  parameters: 'is called `input` here.',
  outputSchema: 'is called `output` here.',
  annotations: 'is called `hints` here, without "Hint" in their names.',
  private: 'is what kept results are, unless the tool is `shared: true`. Leave it out.',
  fresh: 'is called `cache` on a tool: clients are told no time for results.',
  ttl: 'is called `cache` here, such as "5m".',
  ttlMs: 'is called `cache` here, such as "5m".',
  handles: 'is called `uses` here.',
  handler: 'is called `run` here.',
  execute: 'is called `run` here.',
}

function findHintProblem(hints: unknown): string | null {
  if (!isJsonObject(hints)) return 'is no object, such as { readOnly: true }.'
  const known: readonly string[] = hintNames
  const unknown = Object.keys(hints).filter((hint) => !known.includes(hint))
  if (unknown.length > 0) return `has no ${unknown.join(', ')}. It takes: ${known.join(', ')}.`
  const wrong = Object.keys(hints).filter((hint) => typeof hints[hint] !== 'boolean')
  return wrong.length > 0 ? `wants true or false for ${wrong.join(', ')}.` : null
}

function findLimitProblem(limit: unknown, limits: readonly string[]): string | null {
  if (isJsonObject(limit)) return findExactProblem(limit)
  if (typeof limit === 'string' && limits.includes(limit)) return null
  const there = limits.length > 0 ? `There are: ${limits.join(', ')}.` : 'There are none: add one.'
  return `names no [[ratelimits]] of wrangler.toml: ${JSON.stringify(limit)}. ${there}`
}

function findExactProblem({ tokens, per, by = 'caller', ...others }: JsonObject): string | null {
  const [other] = Object.keys(others)
  if (other !== undefined) return `has \`${other}\`. An exact limit has tokens, per and by.`
  if (!Number.isSafeInteger(tokens) || Number(tokens) < 1)
    return 'has no `tokens`: 1 or more calls.'
  if (!isDuration(per) || toMilliseconds(per) === 0) return 'has no `per`, such as "1m" or "1h".'
  const isKnown = by === 'caller' || by === 'tool' || by === 'all'
  return isKnown ? null : 'is `by` something else than "caller", "tool" or "all".'
}

/**
 * Checks what a tool `uses`. A kind must be a module's default export, since its Durable Object knows
 * it by its name alone and finds it in the registry.
 */
function toUsesRule(handles: ReadonlySet<unknown>): MemberRule {
  return (uses) => {
    if (!isJsonObject(uses)) return 'is no object of handles, such as { basket }.'
    const [problem = null] = Object.entries(uses).flatMap(([key, used]) => {
      const kind = isJsonObject(used) && used['kind'] === 'optional' ? used['handle'] : used
      if (!isHandle(kind)) return `has ${key}, which is no handle. Make it with defineHandle.`
      if (handles.has(kind)) return []
      return (
        `has ${key}, and no module under tools/ has that handle as its default export. Give it ` +
        'one of its own: the Durable Object finds it there.'
      )
    })
    return problem
  }
}
