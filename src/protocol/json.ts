/** Any value that JSON text can carry. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = { readonly [key: string]: unknown }

/** Tells a JSON object from an array, a primitive and `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tells a list of texts from any other value. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
