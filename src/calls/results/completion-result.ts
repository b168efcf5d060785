import { isJsonObject, isTexts } from '../../wire/json.ts'
import { toMembers } from '../../wire/outcome.ts'

/** Values that one completion may have (server/utilities/completion, "Completion Results"). */
const most = 100

/** The values that begin with what was typed, whatever the case, in the order of the schema. */
export function suggestOptions(options: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase()
  return options.filter((option) => option.toLowerCase().startsWith(start))
}

/**
 * Prints what a completer returned as the members of a result: the first hundred values, and how many
 * there are.
 *
 * @throws {TypeError} for what only an untyped author would return.
 */
export function toCompletionMembers(what: string, returned: unknown): string {
  const { values, total } = isJsonObject(returned) ? returned : { values: returned }
  if (!isTexts(values) || !isTotal(total)) {
    throw new TypeError(`${what} is completed by neither a list of texts nor { values, total }.`)
  }
  const all = Math.max(total ?? 0, values.length)
  return toMembers({
    completion: {
      values: values.slice(0, most),
      total: all,
      hasMore: all > Math.min(values.length, most),
    },
  })
}

function isTotal(total: unknown): total is number | undefined {
  return total === undefined || Number.isSafeInteger(total)
}
