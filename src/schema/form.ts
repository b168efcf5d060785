import type { FormSchema } from '../wire/input.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { toFormField } from './form-field.ts'
import { toJsonSchema } from './print.ts'
import type { Schema } from './standard.ts'

/** Keywords of the root that say nothing about the fields, or nothing that a form could break. */
const silent: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'additionalProperties',
])

/**
 * Prints a schema as the restricted JSON Schema of a form: a flat object of strings, numbers,
 * booleans and choices (client/elicitation, "Requested Schema"). What validators print in other
 * words is respelled; what a form cannot say is refused rather than lost, since the user would be
 * asked again without learning why. The answer is still checked by the whole schema.
 *
 * @throws {TypeError} when a form cannot carry the schema; the message names the field, the reason
 *   and what to write instead.
 */
export function toFormSchema(schema: Schema): FormSchema {
  const { type, properties, required, ...rest } = toJsonSchema(schema, 'input')
  if (type !== 'object' || !isJsonObject(properties)) {
    throw new TypeError('A form needs an object schema that names its fields, such as z.object().')
  }
  const stray = Object.keys(rest).find((keyword) => !silent.has(keyword))
  if (stray !== undefined) {
    throw new TypeError(
      `A form cannot carry the keyword "${stray}" on its whole. ` +
        'Say it of single fields, or check it once the answer is there.',
    )
  }
  return { type, properties: toFields(properties), ...readRequired(required, properties) }
}

function toFields(properties: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, toFormField(name, field)]),
  )
}

function readRequired(
  required: unknown,
  properties: JsonObject,
): { readonly required?: readonly string[] } {
  if (!Array.isArray(required) || required.length === 0) return {}
  const names = required.map(String)
  const absent = names.find((name) => !Object.hasOwn(properties, name))
  if (absent === undefined) return { required: names }
  throw new TypeError(
    `The form requires "${absent}", but has no such field. Nobody could answer it.`,
  )
}
