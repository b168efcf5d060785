/*
 * Standard Schema (standardschema.dev) by structure, so that the validator is the user's choice and
 * no dependency of ours. Only what Helve reads is declared here.
 */

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** What a sender may write, or what a checked value is. */
export type Direction = 'input' | 'output'

export type PrintJsonSchema = (options: {
  readonly target: 'draft-2020-12'
}) => Record<string, unknown>

interface StandardProps<Input, Output> {
  readonly version: 1
  readonly vendor: string
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  /** Missing in zod/mini and in zod before 4.2; see `toJsonSchema`. */
  readonly jsonSchema?: Readonly<Record<Direction, PrintJsonSchema>> | undefined
}

/** A schema that checks values and can be printed as JSON Schema: zod 4.2+, zod/mini, ArkType. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/**
 * A plain JSON Schema object, 2020-12 unless its `$schema` says draft-07 (basic/index, "Schema
 * Dialect"). Its values are not inferred: they arrive as `unknown`.
 */
export interface JsonSchema {
  readonly $schema?: string
  readonly type?: string | readonly string[]
  readonly '~standard'?: never
  readonly [keyword: string]: unknown
}

/** Whatever a definition may use as a schema. */
export type Schema = StandardSchema<unknown, unknown> | JsonSchema

/** What a sender may write for a schema. */
export type InputOf<S> = S extends StandardSchema<infer Input, unknown> ? Input : unknown

/** What a checked value is. */
export type OutputOf<S> = S extends StandardSchema<unknown, infer Output> ? Output : unknown

/** The type of a value that a definition does not declare. `Cure` is printed in compiler errors. */
export interface Undeclared<_Cure extends string> {
  readonly '~none'?: never
}

/**
 * Refuses a raw shape such as `{ who: z.string() }`, which is a JSON Schema with a keyword `who` as
 * far as its type is concerned.
 */
export type Wrapped<S> =
  S extends StandardSchema<unknown, unknown>
    ? unknown
    : [
          {
            [Key in keyof S]: S[Key] extends StandardSchema<unknown, unknown> ? Key : never
          }[keyof S],
        ] extends [never]
      ? unknown
      : 'An object of schemas is not a schema: wrap it in z.object({ ... })'

/** Tells a Standard Schema, which may be a function, from a plain JSON Schema object. */
export function isStandardSchema(schema: Schema): schema is StandardSchema {
  return schema['~standard'] !== undefined
}

/**
 * The schema of a tool without `input`: an object with nothing in it, printed as the specification
 * recommends (server/tools, "Tool").
 */
export const nothing: StandardSchema<Record<string, never>> = {
  '~standard': {
    version: 1,
    vendor: 'helve',
    validate(value) {
      const unknown = Object.keys(Object(value))
      if (unknown.length === 0) return { value: {} }
      return {
        issues: unknown.map((key) => ({
          message: 'is not allowed: there are no arguments',
          path: [key],
        })),
      }
    },
    jsonSchema: { input: print, output: print },
  },
}

function print(): Record<string, unknown> {
  return { type: 'object', additionalProperties: false }
}
