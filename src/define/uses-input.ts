import { admitNames } from '../schema/admit-names.ts'
import { detachRoot } from '../schema/detach-root.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import type { CreatorOf } from './handle-creator.ts'
import { readHandleId } from './handle-id.ts'
import type { HandleKind } from './handle-kind.ts'
import { toGoneSentence, toIdSentence } from './handle-sentences.ts'
import type { Uses } from './uses.ts'

/** The ids that a call carries and the arguments that are the tool's own, or what is wrong. */
export type UsesRead =
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
