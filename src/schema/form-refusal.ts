import type { JsonObject } from '../wire/json.ts'

const checkLater = 'Say the rule in its description and check it with a refinement.'

/** What is wrong with a keyword in a form, and what to write instead. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['anyOf', 'it is a union, and a form can offer only strings to choose from. Use an enum.'],
  ['oneOf', 'it is a union, and a form can offer only strings to choose from. Use an enum.'],
  ['enum', 'a form can offer only strings to choose from. Use an enum of strings.'],
  ['const', 'a form has no constants. Ask without it and look at the answer.'],
  ['$ref', 'it points to a shared definition. Write the schema of the field in place.'],
  ['items', 'a form takes several values only from a fixed choice. Use an array of an enum.'],
  ['exclusiveMinimum', 'a form has inclusive bounds only. Use a minimum.'],
  ['exclusiveMaximum', 'a form has inclusive bounds only. Use a maximum.'],
  ['default', 'its default is not a value of its type. Give it one that the user could send.'],
])

/** The error for a field that no form can carry, because of one of its keywords. */
export function toRefusal(name: string, schema: JsonObject, keyword: string): TypeError {
  return new TypeError(`A form cannot carry the field "${name}": ${explain(schema, keyword)}`)
}

function explain(schema: JsonObject, keyword: string): string {
  switch (keyword) {
    case 'type':
      return explainType(schema)
    case 'format':
      return `its format ${JSON.stringify(schema['format'])} is none of email, uri, date and date-time. ${checkLater}`
    default:
      return reasons.get(keyword) ?? `a form has no "${keyword}". ${checkLater}`
  }
}

function explainType(schema: JsonObject): string {
  const { type } = schema
  if (type === 'object') {
    return 'it is an object, and forms are flat. Ask for its members as fields of their own.'
  }
  if (Array.isArray(type) && type.includes('null')) {
    return 'it may be null, which a form cannot send. Make it optional instead.'
  }
  const union = ['anyOf', 'oneOf', 'allOf', '$ref'].find((keyword) => schema[keyword] !== undefined)
  if (union !== undefined) return explain(schema, union)
  return 'its type is none of string, number, integer, boolean, an enum and an array of an enum.'
}
