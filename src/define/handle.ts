import { toMilliseconds } from '../kit/duration.ts'
import { createCheck } from '../schema/check.ts'
import type { OutputOf, StandardSchema } from '../schema/standard.ts'
import type { ByCaller, ById, HandleDefinition, SqlVerbs, Verbs } from './handle-definition.ts'
import type { CallsOf, HandleKind, HandleScope } from './handle-kind.ts'
import { toNote } from './handle-note.ts'
import { checkDefinition } from './handle-problems.ts'
import { toVerbs } from './handle-verbs.ts'

/** How long a handle lives at most, unless its definition says otherwise. */
const defaultMax = '30d'

/** A kind of handle, with the types that flow from its definition to the tools that use it. */
export interface Handle<
  State = unknown,
  Calls = unknown,
  Args extends readonly unknown[] = readonly unknown[],
  Scope extends HandleScope = HandleScope,
> extends HandleKind {
  readonly scope: Scope
  readonly '~types'?: { readonly state: State; readonly calls: Calls; readonly args: Args }
}

/**
 * Defines a kind of handle: state with a lifetime that tools make, use and end by an explicit id, or
 * with `scope: 'caller'` one such state for each caller. Make it the default export of a module
 * under `tools/`, and import it from the tools.
 *
 * Each handle is a Durable Object. Verbs run inside it and are synchronous, therefore atomic: one
 * that throws changes nothing. Without a `max` a handle lives for at most 30 days.
 *
 * @throws {TypeError} for a name, prefix, lifetime or verb that cannot be, at definition.
 */
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(
  definition: HandleDefinition<S, readonly [], V, Q> & ByCaller,
): Handle<OutputOf<S>, CallsOf<V, Q>, readonly [], 'caller'>
// the last one is the one whose misfits the compiler reports
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(
  definition: HandleDefinition<S, Args, V, Q> & ById,
): Handle<OutputOf<S>, CallsOf<V, Q>, Args, 'id'>
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(definition: HandleDefinition<S, Args, V, Q> & (ById | ByCaller)): HandleKind {
  checkDefinition(definition)
  const { idle, max = defaultMax } = definition
  return {
    kind: 'handle',
    name: definition.name,
    note: toNote(idle, max),
    scope: definition.scope ?? 'id',
    prefix: definition.prefix ?? null,
    createdBy: definition.createdBy ?? null,
    idleMs: toMilliseconds(idle),
    maxMs: toMilliseconds(max),
    perCaller: definition.perCaller ?? null,
    jurisdiction: definition.jurisdiction ?? null,
    tables: definition.tables ?? null,
    checkState: createCheck(definition.state),
    verbs: toVerbs(definition.verbs, definition.sql ?? {}),
    definition,
  }
}
