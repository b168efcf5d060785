import type { Schema, StandardSchema } from './standard.ts'

/** Tells a Standard Schema, which may be a function, from a plain JSON Schema object. */
export function isStandardSchema(schema: Schema): schema is StandardSchema {
  return schema['~standard'] !== undefined
}
