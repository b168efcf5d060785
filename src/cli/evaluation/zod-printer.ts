import type { PrintOther } from '../../schema/print.ts'
import type { Direction, StandardSchema } from '../../schema/standard.ts'

/** What the build takes of `zod/v4/core`: the project's copy, as Helve depends on no validator. */
export interface ZodCore {
  readonly toJSONSchema: (
    schema: StandardSchema,
    options: { readonly target: 'draft-2020-12'; readonly io: Direction },
  ) => Record<string, unknown>
}

/** Prints the schemas of zod/mini, which leave their printer out to stay small. */
export function createZodPrinter(zod: ZodCore | null): PrintOther {
  return (schema, io) => {
    if (zod === null || schema['~standard'].vendor !== 'zod' || !('_zod' in schema)) return null
    return ({ target }) => zod.toJSONSchema(schema, { target, io })
  }
}
