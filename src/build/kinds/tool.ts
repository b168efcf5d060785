import { type CreatorOf, findCreator } from '../../define/handle-kind.ts'
import type { Tool, ToolDefinition } from '../../define/tool.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { hintNames, toToolEntry } from '../entries/tool-entry.ts'
import { findBucketProblem, maxParallel } from '../../objects/stored-limit.ts'
import { toInputRoot } from '../schema/object-root.ts'
import { findSchemaRefusals } from '../schema/schema-problems.ts'
import type { Stored } from '../evaluated.ts'
import { type BuildContext, type Describe, notCreatedBy, toUniqueName } from './describe.ts'
import { isHandle } from './handle.ts'
import {
  type MemberRule,
  type MemberRules,
  anyValue,
  findMemberProblems,
  findNameProblems,
  mustBeCount,
  mustBeFlag,
  mustBeFunction,
  mustBeIcons,
  mustBeScopes,
  mustBeSeconds,
  mustBeText,
  mustBeTime,
  toHint,
} from './members.ts'

/** Checks a tool and creates its entry: its name, its listing and its parameter headers. */
export const describeTool: Describe = ({ name: fileName, exported }, context) => {
  if (!isTool(exported)) return notCreatedBy('defineTool')
  const definition = { ...exported.definition }
  const { printOther, creators } = context
  const name = definition.name ?? fileName
  const problems = [
    ...findNameProblems(name),
    ...findMemberProblems(toToolRules(context), definition),
    ...findCacheProblems(definition),
    ...findSchemaRefusals('input', definition, printOther, toInputRoot),
    ...findSchemaRefusals('output', definition, printOther),
  ]
  if (problems.length > 0) return { problems }
  const creatorOf: CreatorOf = (kind) => findCreator(kind, creators)
  const { entry, problems: misplaced } = toToolEntry(name, exported, { printOther, creatorOf })
  if (misplaced.length > 0) return { problems: misplaced.map((why) => `\`input\`: ${why}`) }
  return {
    section: 'tools',
    key: name,
    uniqueKeys: [toUniqueName(name)],
    members: { ...entry },
    stored: toStored(exported),
    ...(typeof definition.limit === 'string' && { limit: definition.limit }),
  }
}

/** What of a tool is stored in the Durable Objects of each class. */
function toStored({ definition }: Tool): Stored {
  const { limit, parallel, uses, hints = {} } = definition
  const asks = definition.ask === undefined ? [] : ['`ask`']
  const runsOnce = hints.idempotent !== true && hints.readOnly !== true
  return {
    Handles: [
      ...(typeof limit === 'object' ? [`\`limit\` of ${limit.tokens} in ${limit.per}`] : []),
      ...(parallel === undefined ? [] : ['`parallel`']),
      ...(uses === undefined ? [] : ['`uses`']),
      ...(runsOnce ? asks : []),
    ],
    // the Hub has the key that seals the answers, unless the secret is set
    Hub: runsOnce ? asks : asks.map((ask) => `${ask} without STATE_KEY`),
    Bridge: asks,
  }
}

/** Whether defineTool created a value, which `kind` alone does not prove. */
export function isTool(exported: unknown): exported is Tool {
  if (!isJsonObject(exported) || exported['kind'] !== 'tool') return false
  return isJsonObject(exported['definition']) && typeof exported['checkInput'] === 'function'
}

type Key = keyof ToolDefinition

/** The options of a tool. Its name and its schemas are checked elsewhere. */
export function toToolRules({ limits, handles }: BuildContext): MemberRules {
  const members: Readonly<Record<Key, MemberRule>> = {
    name: anyValue,
    title: mustBeText,
    description: mustBeText,
    icons: mustBeIcons,
    uses: toUsesRule(handles),
    input: anyValue,
    output: anyValue,
    hints: mustBeHints,
    limit: (limit) => findLimitProblem(limit, limits),
    parallel: findParallelProblem,
    sanitize: (value) =>
      value === false || typeof value === 'function'
        ? null
        : '`sanitize` must be false or a function.',
    cache: mustBeSeconds,
    stale: mustBeTime('"10m" or "1h"'),
    shared: mustBeFlag,
    timeout: mustBeTime('"20s" or "2m"'),
    scopes: mustBeScopes,
    conceal: mustBeFlag,
    visible: mustBeFunction,
    ask: mustBeFunction,
    run: mustBeFunction,
  }
  return { what: 'tool', members, required, otherNames }
}

const required = {
  description: 'It tells the model what the tool does and when to call it.',
  run: 'It is the function that runs when the tool is called.',
}

const otherNames = {
  cacheScope: 'is computed from what the list depends on. Remove it.',
  public: 'is computed: a list is public if nothing in it depends on the caller. Remove it.',
  inputSchema: 'is called `input` here.',
  parameters: 'is called `input` here.',
  outputSchema: 'is called `output` here.',
  annotations: 'is called `hints` here, and its names do not end in "Hint".',
  private: 'is the default for cached results, which `shared: true` changes. Remove it.',
  fresh: 'is now `cache`.',
  ttl: 'is called `cache` here, such as "5m".',
  ttlMs: 'is called `cache` here, such as "5m".',
  handles: 'is called `uses` here.',
  handler: 'is called `run` here.',
  execute: 'is called `run` here.',
}

function mustBeHints(hints: unknown): string | null {
  if (!isJsonObject(hints)) return '`hints` must be an object, such as { readOnly: true }.'
  const [problem = null] = Object.entries(hints).flatMap(([name, hint]) =>
    hintNames.some((known) => known === name)
      ? (mustBeFlag(hint, `hints.${name}`) ?? [])
      : `\`hints.${name}\` is not a hint. ${toHint(name, hintNames)}`,
  )
  return problem
}

function findLimitProblem(limit: unknown, limits: readonly string[]): string | null {
  if (isJsonObject(limit)) return findExactProblem(limit)
  if (limits.some((name) => name === limit)) return null
  if (typeof limit !== 'string' || limit === '') {
    return '`limit` must be the name of a [[ratelimits]] binding, or exact, such as { tokens: 100, per: "1h" }.'
  }
  const problem = `\`limit\` is ${JSON.stringify(limit)}, but wrangler.toml has no [[ratelimits]] `
  return limits.length > 0
    ? `${problem}binding with that name. Bindings: ${limits.join(', ')}.`
    : `${problem}bindings. Add one with that name.`
}

function findExactProblem({ tokens, per, by = 'caller', ...others }: JsonObject): string | null {
  const [other] = Object.keys(others)
  if (other !== undefined) {
    return `\`limit.${other}\` is not an option of a limit. ${toHint(other, ['tokens', 'per', 'by'])}`
  }
  const isKnown = by === 'caller' || by === 'tool' || by === 'all'
  return (
    findBucketProblem(tokens, per) ??
    (isKnown ? null : '`limit.by` must be "caller", "tool" or "all".')
  )
}

function findParallelProblem(parallel: unknown, key: string): string | null {
  const problem = mustBeCount(parallel, key)
  if (problem !== null || Number(parallel) <= maxParallel) return problem
  return `\`parallel\` is ${String(parallel)}. At most ${maxParallel} calls can be counted. Remove it for no limit.`
}

/**
 * A handle must be the default export of a module under `tools/`: its Durable Object knows only its
 * name, and finds the definition in the registry.
 */
function toUsesRule(handles: ReadonlySet<unknown>): MemberRule {
  return (uses) => {
    if (!isJsonObject(uses)) return '`uses` must be an object of handles, such as { basket }.'
    const [problem = null] = Object.entries(uses).flatMap(([key, used]) => {
      const kind = isJsonObject(used) && used['kind'] === 'optional' ? used['handle'] : used
      if (!isHandle(kind)) {
        return `\`uses.${key}\` is not a handle. Create it with defineHandle({ ... }).`
      }
      if (handles.has(kind)) return []
      return (
        `\`uses.${key}\` is not the default export of a module under tools/, where its Durable ` +
        'Object looks for it. Move the handle to a module of its own.'
      )
    })
    return problem
  }
}

const impossible = {
  uses: 'a cached result would not follow the state of the handle',
  ask: 'the answers of a user belong to one call',
} as const

/** Finds options that contradict `cache`, and options that need it. */
export function findCacheProblems(tool: JsonObject): readonly string[] {
  if (tool['cache'] === undefined) {
    return ['stale', 'shared']
      .filter((key) => tool[key] !== undefined)
      .map(
        (key) =>
          `\`${key}\` needs \`cache\`, without which results are not cached. Set \`cache\`, or ` +
          `remove \`${key}\`.`,
      )
  }
  const { hints } = tool
  const isReadOnly = isJsonObject(hints) && hints['readOnly'] === true
  return [
    ...(isReadOnly ? [] : [notReadOnly]),
    ...Object.entries(impossible)
      .filter(([key]) => tool[key] !== undefined)
      .map(
        ([key, why]) =>
          `\`cache\` cannot be combined with \`${key}\`: ${why}. Remove one of the two.`,
      ),
  ]
}

const notReadOnly =
  '`cache` needs `hints: { readOnly: true }`: a cached call does not run, so the tool must only ' +
  'read. Add the hint, or remove `cache`.'
