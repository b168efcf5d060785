import type { CreatorOf, HandleKind } from '../define/handle-kind.ts'
import type { Uses } from '../define/handles.ts'
import { toGoneSentence, toIdSentence } from '../objects/handle-sentences.ts'
import type { JsonObject } from '../protocol/json.ts'
import { readHandleId } from '../state/handle-id.ts'

/** The ids in a call's arguments and the tool's own arguments, or what is wrong with the ids. */
type UsesRead =
  | { readonly ok: true; readonly ids: ReadonlyMap<string, string>; readonly input: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Separates the handle ids of `uses` from a tool's own arguments. The prefix and the form of an id are
 * checked here, so that an id of another kind or a made-up one wakes no Durable Object.
 */
export function readUses(input: JsonObject, uses: Uses, creatorOf: CreatorOf): UsesRead {
  const expected = handleArgumentsOf(uses)
  if (expected.length === 0) return { ok: true, ids: new Map(), input }
  const ids = new Map<string, string>()
  const problems: string[] = []
  for (const { name, kind, prefix, isOptional } of expected) {
    // not input[name]: for an argument named `constructor` that finds an inherited member
    const id = Object.hasOwn(input, name) ? (input[name] ?? null) : null
    if (typeof id === 'string' && readHandleId(prefix, id) !== null) ids.set(name, id)
    else if (id !== null) problems.push(toGoneSentence(kind, creatorOf(kind)))
    else if (!isOptional)
      problems.push(`"${name}" is missing. ${toIdSentence(kind, creatorOf(kind))}`)
  }
  // a Set: two ids of one kind have the same sentence
  if (problems.length > 0) return { ok: false, problems: [...new Set(problems)] }
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(uses, name))
  return { ok: true, ids, input: Object.fromEntries(rest) }
}

interface HandleArgument {
  readonly name: string
  readonly kind: HandleKind
  readonly prefix: string
  readonly isOptional: boolean
}

/** Lists the arguments that `uses` adds. A kind with one handle for each caller adds none. */
export function handleArgumentsOf(uses: Uses): readonly HandleArgument[] {
  return Object.entries(uses).flatMap(([name, used]) => {
    const isOptional = used.kind === 'optional'
    const kind = isOptional ? used.handle : used
    return kind.prefix === null ? [] : [{ name, kind, prefix: kind.prefix, isOptional }]
  })
}
