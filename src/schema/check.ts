import type { Schema } from './standard.ts'

/** What a check says of a value: the parsed value, or each problem as one readable sentence. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Checks one value against a schema. Synchronous wherever the schema is. */
export type Check = (value: unknown) => Checked | Promise<Checked>

export declare function createCheck(schema: Schema): Check
