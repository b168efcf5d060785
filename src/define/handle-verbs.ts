import type { Verb } from './handle-kind.ts'

/** Functions of any arguments, by name. */
type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

/**
 * Puts the verbs of both kinds into one map without their types. A map, since their names are looked
 * up as they came over RPC.
 */
export function toVerbs(verbs: Functions, sql: Functions): ReadonlyMap<string, Verb> {
  return new Map<string, Verb>([
    ...Object.entries(verbs).map(([name, verb]): [string, Verb] => [
      name,
      // `this` stays what the author sees, so that one verb may call another
      (_sql, state, args): unknown => Reflect.apply(verb, verbs, [state, ...args]),
    ]),
    ...Object.entries(sql).map(([name, verb]): [string, Verb] => [
      name,
      (database, state, args): unknown => Reflect.apply(verb, sql, [database, state, ...args]),
    ]),
  ])
}
