import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import type { FormSchema } from '../../protocol/input-request.ts'
import { readFormAnswer } from '../../schema/form-answer.ts'
import { toErrorMessage } from '../../build/errors.ts'
import { convertText, toTypeText } from './argument-values.ts'
import { indent, toSafeLine, toSafeText } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** Asks for each field of a form, and then whether to send it (client/elicitation). */
export async function askForm(
  terminal: Terminal,
  schema: FormSchema,
  known: JsonObject,
): Promise<JsonObject | 'decline' | 'cancel'> {
  const values = new Map<string, unknown>(Object.entries(known))
  for (const [name, field] of Object.entries(schema.properties)) {
    if (Object.hasOwn(known, name)) continue
    const isRequired = schema.required?.includes(name) ?? false
    // what was typed before is offered again
    const preset = values.has(name) ? values.get(name) : field['default']
    // oxlint-disable-next-line no-await-in-loop -- a person answers one question at a time
    const value = await askField(terminal, name, field, isRequired, preset)
    if (value === null) return 'cancel'
    if (value.value !== undefined) values.set(name, value.value)
  }
  const answer = Object.fromEntries(values)
  terminal.show(indent(toSummary(answer)))
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    const line = await terminal.ask('Send this? yes, edit, decline or cancel [yes]: ')
    const word = line === null ? 'cancel' : line.trim().toLowerCase()
    if ('yes'.startsWith(word)) return answer
    if ('edit'.startsWith(word)) return askForm(terminal, withDefaults(schema, answer), {})
    if ('decline'.startsWith(word)) return 'decline'
    if ('cancel'.startsWith(word)) return 'cancel'
  }
}

function withDefaults(schema: FormSchema, answer: JsonObject): FormSchema {
  const fields = Object.entries(schema.properties).map(([name, field]): [string, JsonObject] => [
    name,
    Object.hasOwn(answer, name) ? { ...field, default: answer[name] } : field,
  ])
  return { ...schema, properties: Object.fromEntries(fields) }
}

function toSummary(answer: JsonObject): string {
  const lines = Object.entries(answer).map(
    ([name, value]) => `${toSafeLine(name)}: ${toSafeLine(JSON.stringify(value) ?? '')}`,
  )
  return lines.length === 0 ? '(an empty form)' : lines.join('\n')
}

/** Returns `null` if the person ends the input, and no value for an optional field that is left out. */
async function askField(
  terminal: Terminal,
  name: string,
  field: JsonObject,
  isRequired: boolean,
  preset: unknown,
): Promise<{ readonly value?: unknown } | null> {
  const options = readChoices(field)
  const { title, description } = field
  if (typeof description === 'string') terminal.show(indent(toSafeText(description)))
  for (const [at, { label }] of options.entries()) {
    terminal.show(`    ${at + 1}. ${toSafeLine(label)}`)
  }
  const label = toSafeLine(typeof title === 'string' ? title : name)
  const hint = `${toHint(field, options)}${isRequired ? '' : ', optional'}`
  const offered = preset === undefined ? '' : ` [${toSafeLine(toShown(preset))}]`
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asked again until it fits
    const line = await terminal.ask(`  ${label} (${hint})${offered}: `)
    if (line === null) return null
    if (line === '' && preset !== undefined) return { value: preset }
    if (line === '' && !isRequired) return {}
    const read = readField(name, field, options, line)
    // oxlint-disable-next-line no-await-in-loop -- as above
    const why = 'why' in read ? read.why : await findProblem(name, field, read.value)
    if (why === null && 'value' in read) return { value: read.value }
    terminal.show(`  ${toSafeLine(why ?? '')}`)
  }
}

function toShown(preset: unknown): string {
  if (typeof preset === 'boolean') return preset ? 'yes' : 'no'
  return Array.isArray(preset) ? preset.join(', ') : String(preset)
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** The choices of a field, which is a list if several may be chosen. */
function readChoices(field: JsonObject): readonly Choice[] {
  const source = field['type'] === 'array' && isJsonObject(field['items']) ? field['items'] : field
  const { enum: values, enumNames, oneOf, anyOf } = source
  const titled = oneOf ?? anyOf
  if (Array.isArray(titled)) {
    return titled.filter(isJsonObject).map((option) => ({
      value: String(option['const']),
      label: String(option['title'] ?? option['const']),
    }))
  }
  if (!Array.isArray(values)) return []
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
  return values.map((value, at) => ({ value: String(value), label: String(names[at] ?? value) }))
}

function toHint(field: JsonObject, options: readonly Choice[]): string {
  if (field['type'] === 'array') return 'numbers of the choices, with commas'
  if (options.length > 0) return `1 to ${options.length}`
  if (field['type'] === 'boolean') return 'yes or no'
  const { format } = field
  const hints = ['minimum', 'maximum', 'minLength', 'maxLength'].flatMap((key) =>
    typeof field[key] === 'number' ? [`${key} ${field[key]}`] : [],
  )
  const type = typeof format === 'string' ? toSafeLine(format) : toTypeText({ type: field['type'] })
  return [type, ...hints].join(', ')
}

type FieldRead = { readonly value: unknown } | { readonly why: string }

function readField(
  name: string,
  field: JsonObject,
  options: readonly Choice[],
  line: string,
): FieldRead {
  if (field['type'] === 'array') {
    const items = line.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
    return { value: items.map((item) => findChoice(options, item)) }
  }
  if (options.length > 0) return { value: findChoice(options, line.trim()) }
  if (field['type'] === 'boolean') {
    const word = line.trim().toLowerCase()
    if (['y', 'yes', 'true'].includes(word)) return { value: true }
    if (['n', 'no', 'false'].includes(word)) return { value: false }
    return { why: 'Type yes or no.' }
  }
  try {
    return { value: convertText(field, line, name) }
  } catch (error) {
    return { why: toErrorMessage(error) }
  }
}

function findChoice(options: readonly Choice[], given: string): string {
  const named = options.find(({ value, label }) => value === given || label === given)
  const numbered = /^\d+$/.test(given) ? options[Number(given) - 1] : undefined
  return (named ?? numbered)?.value ?? given
}

/** Checks one field as the server would. A schema that cannot be checked is left to the server. */
export async function findProblem(
  name: string,
  field: JsonObject,
  value: unknown,
): Promise<string | null> {
  const form = { type: 'object', properties: { [name]: field }, required: [name] } as const
  try {
    const checked = await readFormAnswer(form, { [name]: value })
    return checked.ok ? null : checked.why
  } catch {
    return null
  }
}
