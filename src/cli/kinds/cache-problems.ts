import { isDuration, toMilliseconds } from '../../kit/duration.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'

/** What makes a result depend on more than its arguments and its caller, and why. */
const impossible = {
  uses: 'what a handle holds changes while the result is kept',
  ask: 'an answer of the user belongs to one call',
} as const

/** What does not go together in a tool whose results are kept, or in one whose results are not. */
export function findCacheProblems(tool: JsonObject): readonly string[] {
  if (tool['cache'] === undefined) {
    return ['stale', 'shared']
      .filter((key) => tool[key] !== undefined)
      .map(
        (key) => `\`${key}\` says how results are kept, and none are. Set \`cache\`, or remove it.`,
      )
  }
  const { hints } = tool
  const isReadOnly = isJsonObject(hints) && hints['readOnly'] === true
  return [
    ...(isReadOnly ? [] : [notReadOnly]),
    ...Object.entries(impossible)
      .filter(([key]) => tool[key] !== undefined)
      .map(([key, why]) => `\`cache\` does not go with \`${key}\`: ${why}. Remove one of the two.`),
  ]
}

/** What is wrong with how long a resource is kept. */
export function findStaleProblems(resource: JsonObject): readonly string[] {
  if (resource['stale'] === undefined) return []
  const { fresh } = resource
  if (!isDuration(fresh) || toMilliseconds(fresh) < 1000) {
    return [
      '`stale` follows on a `fresh` of a second or more, and there is none. Set it, or remove `stale`.',
    ]
  }
  if (resource['ask'] === undefined) return []
  return [
    '`stale` does not go with `ask`: a read with questions is kept nowhere. Remove one of them.',
  ]
}

const notReadOnly =
  '`cache` keeps results, so that a call may do nothing but return one. Say so with ' +
  '`hints: { readOnly: true }`, or remove `cache`.'
