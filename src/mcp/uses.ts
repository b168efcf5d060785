import { headerAnnotation } from '../build/schema/param-headers.ts'
import type { CreatorOf, HandleKind } from '../define/handle-kind.ts'
import type { Uses } from '../define/handles.ts'
import { toGoneSentence, toIdSentence } from '../objects/handle-sentences.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { appliers, mapChildren, readDialect } from '../schema/json-schema/keywords.ts'
import { readHandleId } from '../state/handle-id.ts'

/** The ids that a call carries and the arguments that are the tool's own, or what is wrong. */
type UsesRead =
  | { readonly ok: true; readonly ids: ReadonlyMap<string, string>; readonly input: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Adds the ids of a tool's handles to its printed input schema, before its own arguments. All else
 * in the schema goes on meaning what it meant for the tool's own.
 *
 * @throws {TypeError} where the schema has an argument of the same name, or a pattern that takes one.
 */
export function toUsesSchema(schema: JsonObject, uses: Uses, creatorOf: CreatorOf): JsonObject {
  const taken = takenBy(uses)
  if (taken.length === 0) return schema
  const detached = detachRoot(schema)
  const own = isJsonObject(detached['properties']) ? detached['properties'] : {}
  const clash = taken.find(({ name }) => Object.hasOwn(own, name))
  if (clash !== undefined) {
    throw new TypeError(
      `The input has "${clash.name}", and so has \`uses\`, which adds it by itself. Remove it from the input.`,
    )
  }
  const ids = taken.map(({ name, kind }) => [
    name,
    { type: 'string', description: toIdSentence(kind, creatorOf(kind)) },
  ])
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const needed = taken.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const all: unknown[] = [...needed, ...required]
  const names = taken.map(({ name }) => name)
  return {
    ...admitNames(detached, { names, needed: needed.length }),
    properties: { ...Object.fromEntries(ids), ...own },
    ...(all.length === 0 ? {} : { required: all }),
  }
}

/**
 * Takes the ids out of a call's arguments. Prefix and form are checked here, so that an id of
 * another kind or a made-up one wakes nothing.
 */
export function readUses(input: JsonObject, uses: Uses, creatorOf: CreatorOf): UsesRead {
  const taken = takenBy(uses)
  if (taken.length === 0) return { ok: true, ids: new Map(), input }
  const ids = new Map<string, string>()
  const problems: string[] = []
  for (const { name, kind, prefix, isOptional } of taken) {
    // not input[name]: an argument called `constructor` would find what nobody sent
    const id = Object.hasOwn(input, name) ? (input[name] ?? null) : null
    if (typeof id === 'string' && readHandleId(prefix, id) !== null) ids.set(name, id)
    else if (id !== null) problems.push(toGoneSentence(kind, creatorOf(kind)))
    else if (!isOptional)
      problems.push(`"${name}" is missing. ${toIdSentence(kind, creatorOf(kind))}`)
  }
  // once each: an unknown id is told once as well, however many there are
  if (problems.length > 0) return { ok: false, problems: [...new Set(problems)] }
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(uses, name))
  return { ok: true, ids, input: Object.fromEntries(rest) }
}

interface Taken {
  readonly name: string
  readonly kind: HandleKind
  readonly prefix: string
  readonly isOptional: boolean
}

/** The handles that take an argument: a kind with one handle for each caller needs none. */
function takenBy(uses: Uses): readonly Taken[] {
  return Object.entries(uses).flatMap(([name, used]) => {
    const isOptional = used.kind === 'optional'
    const kind = isOptional ? used.handle : used
    return kind.prefix === null ? [] : [{ name, kind, prefix: kind.prefix, isOptional }]
  })
}

/**
 * Keeps a schema that refers to itself as a whole, with `#`, what it was when something is added to
 * its root: the whole moves into its definitions as well, and what referred to it refers there. A
 * schema that does not is returned as it is.
 */
function detachRoot(schema: JsonObject): JsonObject {
  const isRoot = createRootTest(schema)
  if (!hasReference(schema, isRoot)) return schema
  const keyword = readDialect(schema['$schema']) === '7' ? 'definitions' : '$defs'
  const definitions = isJsonObject(schema[keyword]) ? schema[keyword] : {}
  const name = findFreeName(definitions)
  const pointed = repoint(schema, isRoot, `#/${keyword}/${name}`)
  const whole = omit(pointed, '$schema', '$id', '$anchor', keyword)
  return { ...pointed, [keyword]: { ...Object(pointed[keyword]), [name]: withoutHeaders(whole) } }
}

type IsRoot = (reference: unknown) => boolean

function createRootTest({ $id, $anchor }: JsonObject): IsRoot {
  const names = new Set(['#', ''])
  if (typeof $id === 'string') names.add($id).add(`${$id}#`)
  if (typeof $anchor === 'string') names.add(`#${$anchor}`)
  return (reference) => typeof reference === 'string' && names.has(reference)
}

function hasReference(schema: JsonObject, isRoot: IsRoot): boolean {
  let found = isRoot(schema['$ref'])
  mapChildren(schema, (child) => {
    found ||= isOfThisRoot(child) && hasReference(child, isRoot)
    return child
  })
  return found
}

function repoint(schema: JsonObject, isRoot: IsRoot, $ref: string): JsonObject {
  const copy = mapChildren(schema, (child) =>
    isOfThisRoot(child) ? repoint(child, isRoot, $ref) : child,
  )
  return isRoot(schema['$ref']) ? { ...copy, $ref } : copy
}

/** A subschema with an `$id` is a root of its own, to which `#` inside it refers. */
function isOfThisRoot({ $id }: JsonObject): boolean {
  return typeof $id !== 'string' || $id.startsWith('#')
}

/** A header stands for one parameter, at the place that `properties` alone lead to. */
function withoutHeaders(schema: JsonObject): JsonObject {
  return omit(mapChildren(schema, withoutHeaders), headerAnnotation)
}

function omit(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)),
  )
}

function findFreeName(taken: JsonObject): string {
  let name = 'input'
  for (let count = 2; Object.hasOwn(taken, name); count++) name = `input${count}`
  return name
}

/** Names that a schema is to let pass, and how many of them are always there. */
interface Admitted {
  readonly names: readonly string[]
  readonly needed: number
}

/**
 * Lets further names pass wherever an object schema counts names, closes the list of them or says how
 * they look, also in what `allOf` and the like apply to the same object.
 *
 * @throws {TypeError} where `patternProperties` would take one of the names for its own.
 */
function admitNames(schema: JsonObject, admitted: Admitted): JsonObject {
  const { names, needed } = admitted
  const { properties, patternProperties, propertyNames, maxProperties, minProperties } = schema
  checkPatterns(patternProperties, names)
  const isClosed = 'additionalProperties' in schema || 'unevaluatedProperties' in schema
  const free = Object.fromEntries(names.map((name) => [name, true]))
  return {
    ...mapChildren(schema, (child, keyword) =>
      appliers.has(keyword) ? admitNames(child, admitted) : child,
    ),
    ...(isClosed && { properties: { ...free, ...Object(properties) } }),
    ...(propertyNames !== undefined && {
      propertyNames: { anyOf: [{ enum: names }, propertyNames] },
    }),
    ...(typeof maxProperties === 'number' && { maxProperties: maxProperties + names.length }),
    ...(typeof minProperties === 'number' && { minProperties: minProperties + needed }),
  }
}

function checkPatterns(patternProperties: unknown, names: readonly string[]): void {
  if (!isJsonObject(patternProperties)) return
  for (const pattern of Object.keys(patternProperties)) {
    const name = names.find((name) => new RegExp(pattern, 'u').test(name))
    if (name === undefined) continue
    throw new TypeError(
      `"patternProperties" of the input take "${name}", which \`uses\` adds, for one of theirs: ` +
        `${pattern} fits it. Narrow the pattern, or rename the handle.`,
    )
  }
}
