/*
 * Standard Schema (standardschema.dev) by structure, so that authors choose the validator and Helve
 * depends on none. Only what Helve reads is declared here.
 */

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** The value as it is sent, or as it is after the check. */
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
 * A plain JSON Schema object, in 2020-12 by default or in draft-07 with `$schema` (basic/index,
 * "Schema Dialect"). The type of its values is `unknown`.
 */
export interface JsonSchema {
  readonly $schema?: string
  readonly type?: string | readonly string[]
  readonly '~standard'?: never
  readonly [keyword: string]: unknown
}

export type Schema = StandardSchema<unknown, unknown> | JsonSchema

export type InputOf<S> = S extends StandardSchema<infer Input, unknown> ? Input : unknown

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

/** A Standard Schema may also be a function, as in ArkType. */
export function isStandardSchema(schema: Schema): schema is StandardSchema {
  return schema['~standard'] !== undefined
}

/**
 * The schema of a tool or prompt without `input`: an empty object, printed as the specification
 * recommends (server/tools, "Tool").
 */
export const noArguments: StandardSchema<Record<string, never>> = {
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
