import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import { toErrorMessage } from '../error-message.ts'
import type { Describe, Description, Subject } from '../kinds/describe.ts'
import { describeHandle } from '../kinds/handle.ts'
import { describePrompt } from '../kinds/prompt.ts'
import { describeResource } from '../kinds/resource.ts'
import { describeTool } from '../kinds/tool.ts'
import type { Evaluated } from './evaluated.ts'
import type { LoadedModule, Surroundings } from './surroundings.ts'

/** What a module's default export may be, by its `kind`; each kind says its own entry. */
const kinds: ReadonlyMap<unknown, Describe> = new Map([
  ['tool', describeTool],
  ['resource', describeResource],
  ['prompt', describePrompt],
  ['handle', describeHandle],
])

/** Decides what a module is: an entry of the registry, a helper of the others, or refused. */
export function describeModule(
  { file, name, exports }: LoadedModule,
  surroundings: Surroundings,
): Evaluated {
  const made = exports['default']
  if (made === undefined) return describeHelper(file, exports)
  const describe = isJsonObject(made) ? kinds.get(made['kind']) : undefined
  if (!isJsonObject(made) || describe === undefined) {
    const why = 'The default export is nothing that Helve made. Export defineTool({ ... }) there.'
    return { kind: 'refused', file, problems: [why] }
  }
  const description = attempt(describe, { name, made }, surroundings)
  return 'problems' in description
    ? { kind: 'refused', file, problems: description.problems }
    : { kind: 'entry', entry: { ...description, file } }
}

/** What cannot be printed says so by throwing, in a sentence for its author. */
function attempt(describe: Describe, subject: Subject, surroundings: Surroundings): Description {
  try {
    return describe(subject, surroundings)
  } catch (error) {
    return { problems: [toErrorMessage(error)] }
  }
}

/** A module without a default export is there for the others to import, unless it hides something. */
function describeHelper(file: string, exports: JsonObject): Evaluated {
  const names = Object.keys(exports)
  const [hidden] = names.flatMap((name) => {
    const value = exports[name]
    return isJsonObject(value) && kinds.has(value['kind']) && 'definition' in value
      ? [`It exports a ${String(value['kind'])} as \`${name}\`, where nobody looks.`]
      : []
  })
  if (hidden === undefined && names.length > 0) return { kind: 'helper', file }
  const why =
    hidden === undefined
      ? 'It exports nothing. Write `export default defineTool({ ... })`, or begin its name with "_".'
      : `${hidden} Write \`export default\` instead.`
  return { kind: 'refused', file, problems: [why] }
}
