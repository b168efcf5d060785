import { hintNames } from '../../registry/tool-listing.ts'
import { isDuration, toMilliseconds } from '../../kit/duration.ts'
import type { ToolDefinition } from '../../define/tool.ts'
import type { Schema } from '../../schema/standard.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'

type Key = keyof ToolDefinition<Schema, Schema>

/** What each member of a definition must be; the schemas are looked at elsewhere. */
const members: Readonly<Record<Key, (value: unknown, limits: readonly string[]) => string | null>> =
  {
    name: () => null,
    title: findTextProblem,
    description: findTextProblem,
    icons: (icons) => (Array.isArray(icons) ? null : 'is no list of icons, such as [{ src }].'),
    input: () => null,
    output: () => null,
    hints: findHintProblem,
    limit: findLimitProblem,
    timeout: findTimeoutProblem,
    run: (run) => (typeof run === 'function' ? null : 'is no function.'),
  }

/** Keys that people bring along from elsewhere, each with what takes its place. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['cacheScope', 'is computed from what the list depends on, never typed. Leave it out.'],
  [
    'public',
    'is computed: a list is public where nothing in it depends on the caller. Leave it out.',
  ],
  ['inputSchema', 'is called `input` here.'],
  ['parameters', 'is called `input` here.'],
  ['outputSchema', 'is called `output` here.'],
  ['annotations', 'is called `hints` here, without "Hint" in their names.'],
  ['handler', 'is called `run` here.'],
  ['execute', 'is called `run` here.'],
])

/** Everything that is wrong with a definition but for its name and its schemas. */
export function findToolProblems(
  definition: JsonObject,
  limits: readonly string[],
): readonly string[] {
  const missing = (['description', 'run'] as const)
    .filter((key) => definition[key] === undefined)
    .map((key) => `\`${key}\` is missing. ${whatFor[key]}`)
  const wrong = Object.entries(definition).flatMap(([key, value]) => {
    if (!isKey(key)) return `\`${key}\` ${elsewhere.get(key) ?? unknownKey}`
    const problem = value === undefined ? null : members[key](value, limits)
    return problem === null ? [] : `\`${key}\` ${problem}`
  })
  return [...missing, ...wrong]
}

const whatFor = {
  description: 'Say what the tool does and when to use it: a model chooses by it.',
  run: 'It is the function that does the work.',
}

const unknownKey = `is nothing that a tool has. It has: ${Object.keys(members).join(', ')}.`

function isKey(key: string): key is Key {
  return Object.hasOwn(members, key)
}

function findTextProblem(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? null : 'must be text, and not empty.'
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
  if (typeof limit === 'string' && limits.includes(limit)) return null
  const there = limits.length > 0 ? `There are: ${limits.join(', ')}.` : 'There are none: add one.'
  return `names no [[ratelimits]] of wrangler.toml: ${JSON.stringify(limit)}. ${there}`
}

function findTimeoutProblem(timeout: unknown): string | null {
  if (isDuration(timeout) && toMilliseconds(timeout) > 0) return null
  return `is ${JSON.stringify(timeout)}, which is no time limit. Write one such as "20s" or "2m".`
}
