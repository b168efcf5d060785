import { describeTool } from '../kinds/tool.ts'
import type { Describe, Subject } from '../kinds/describe.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import type { Evaluated } from './evaluated.ts'

/** What a module's default export may be, by its `kind`; each kind says its own entry. */
const kinds: ReadonlyMap<unknown, Describe> = new Map([['tool', describeTool]])

/** Decides what a module is: an entry of the registry, a helper of the others, or refused. */
export function describeModule(
  module: Omit<Subject, 'made'> & { readonly file: string; readonly exports: JsonObject },
): Evaluated {
  const { file, name, exports, limits, printOther } = module
  const made = exports['default']
  if (made === undefined) return describeHelper(file, exports)
  const describe = isJsonObject(made) ? kinds.get(made['kind']) : undefined
  if (!isJsonObject(made) || describe === undefined) {
    const why = 'The default export is nothing that Helve made. Export defineTool({ ... }) there.'
    return { kind: 'refused', file, problems: [why] }
  }
  const described = describe({ name, made, limits, printOther })
  return 'problems' in described
    ? { kind: 'refused', file, problems: described.problems }
    : { kind: 'entry', entry: { ...described, file } }
}

/** A module without a default export is there for the others to import, unless it hides a tool. */
function describeHelper(file: string, exports: JsonObject): Evaluated {
  const names = Object.keys(exports)
  const hidden = names.find((name) => {
    const value = exports[name]
    return isJsonObject(value) && kinds.has(value['kind']) && 'definition' in value
  })
  const why =
    hidden === undefined
      ? 'It exports nothing. Write `export default defineTool({ ... })`, or begin its name with "_".'
      : `It exports a tool as \`${hidden}\`, where nobody looks. Write \`export default\` instead.`
  return hidden === undefined && names.length > 0
    ? { kind: 'helper', file }
    : { kind: 'refused', file, problems: [why] }
}
