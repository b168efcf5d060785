/*
 * Members that authors look for where there are none. TypeScript says so; `wrangler dev` checks no
 * types, and a `caller` that is silently undefined would be kept for everybody.
 */

/** An object whose members throw what to do instead, for others to be made from. */
type Absent = object

const forOneCall = 'belongs to one call, and what `cache` keeps is for many'
const ofShared = 'is not told where the result is `shared`. Remove one of the two'

const kept = {
  ...toReasons(['progress', 'trace', 'answers'], forOneCall),
  ...toReasons(
    ['use', 'create', 'open', 'read', 'list'],
    `${forOneCall}: a handle changes meanwhile`,
  ),
  ...toReasons(
    ['notify', 'purge'],
    `is for tools that change something, and one with \`cache\` does not`,
  ),
}

/** What the `run` of a tool with `cache` has not got. */
export const absentWhereKept: Absent = toAbsent(kept)

/** The same, where it is told nothing of its caller either. */
export const absentWhereShared: Absent = toAbsent({ ...kept, caller: ofShared })

/** What the `read` of a shared resource has not got. */
export const absentWhereRead: Absent = toAbsent({ caller: ofShared, answers: ofShared })

/** Gives a context the members that are not there. */
export function withAbsent<Context extends object>(absent: Absent, context: Context): Context {
  return Object.assign(Object.create(absent), context)
}

function toReasons(names: readonly string[], why: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, why]))
}

function toAbsent(reasons: Readonly<Record<string, string>>): Absent {
  const getters = Object.entries(reasons).map(([name, why]) => {
    const get = (): never => {
      throw new TypeError(`\`${name}\` is not there: it ${why}.`)
    }
    return [name, { get }]
  })
  return Object.create(null, Object.fromEntries(getters))
}
