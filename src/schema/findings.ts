import type { OutputUnit, Schema } from '@cfworker/json-schema'
import type { CompiledSchema } from './compile.ts'
import { toInstancePath, toSchemaLocation } from './location.ts'
import type { Path } from './path.ts'
import type { Problem } from './problem.ts'
import { readAssertion } from './assertion.ts'

// the validator reports each of these once more for what their subschemas found
const echoes: ReadonlySet<string> = new Set(
  (
    '$ref allOf if dependentSchemas propertyNames properties patternProperties ' +
    'additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems'
  ).split(' '),
)

/** Reads what the validator found wrong with a value, the echoes of parents left out. */
export function* readFindings(
  compiled: CompiledSchema,
  units: readonly OutputUnit[],
  root: unknown,
): Generator<Problem> {
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]
    if (unit === undefined || echoes.has(unit.keyword)) continue
    const location = toSchemaLocation(compiled, unit.keywordLocation)
    // why single items do not match is no news where one match among them is asked for
    if (location === null || location.through.has('contains')) continue
    const path = toInstancePath(root, unit.instanceLocation)
    if (location.through.has('propertyNames')) {
      yield { kind: 'said', path, message: 'is not an allowed name' }
    } else if (unit.keyword === 'anyOf' || unit.keyword === 'oneOf') {
      const inside = takeInside(units, index)
      index += inside.length
      yield readUnion(compiled, unit, inside, location.schema, root, path)
    } else {
      yield* readAssertion(unit.keyword, location.schema, path, root)
    }
  }
}

function takeInside(units: readonly OutputUnit[], at: number): readonly OutputUnit[] {
  const { keywordLocation = '', instanceLocation = '' } = units[at] ?? {}
  let end = at + 1
  for (let unit = units[end]; unit !== undefined; unit = units[++end]) {
    const isDeeper = unit.keywordLocation.startsWith(`${keywordLocation}/`)
    if (!isDeeper || !`${unit.instanceLocation}/`.startsWith(`${instanceLocation}/`)) break
  }
  return units.slice(at + 1, end)
}

function readUnion(
  compiled: CompiledSchema,
  unit: OutputUnit,
  inside: readonly OutputUnit[],
  schema: Schema,
  root: unknown,
  path: Path,
): Problem {
  const start = unit.keywordLocation.length + 1
  const byOption = Map.groupBy(inside, ({ keywordLocation }) =>
    keywordLocation.slice(start).split('/', 1).join(),
  )
  const total = (unit.keyword === 'oneOf' ? schema.oneOf : schema.anyOf)?.length
  if (byOption.size !== total) {
    return { kind: 'said', path, message: 'fits several forms of which only one is allowed' }
  }
  const options = Array.from(byOption.values(), (found) =>
    Array.from(readFindings(compiled, found, root)),
  )
  return { kind: 'union', path, options }
}
