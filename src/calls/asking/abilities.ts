import type { AskedQuestion, AskingCapability } from '../../define/question.ts'
import type { Abilities } from '../../define/running.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'

/** Each capability as the wire spells it (basic/index, "_meta"; client/elicitation). */
const declared: Readonly<Record<AskingCapability, JsonObject>> = {
  form: { elicitation: { form: {} } },
  link: { elicitation: { url: {} } },
  sample: { sampling: {} },
  roots: { roots: {} },
}

/** Reads which questions a client can answer. An elicitation that names no mode means forms. */
export function toAbilities({ elicitation, sampling, roots }: JsonObject): Abilities {
  const modes = isJsonObject(elicitation) ? elicitation : null
  return {
    form: modes !== null && ('form' in modes || !('url' in modes)),
    link: modes !== null && 'url' in modes,
    sample: isJsonObject(sampling),
    roots: isJsonObject(roots),
  }
}

/** The capabilities that these questions need and the client lacks, or `null` where it has all. */
export function findMissing(
  questions: Iterable<AskedQuestion<unknown>>,
  can: Abilities,
): JsonObject | null {
  const missing = [...questions].map(({ capability }) => capability).filter((one) => !can[one])
  if (missing.length === 0) return null
  const elicitation = Object.assign({}, ...missing.map((one) => declared[one]['elicitation'] ?? {}))
  const others = Object.assign({}, ...missing.map((one) => declared[one]))
  return 'elicitation' in others ? { ...others, elicitation } : others
}
