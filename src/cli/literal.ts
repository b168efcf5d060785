import { isJsonObject } from '../wire/json.ts'

/** Writes a JSON value as the source code of this project would: single quotes, bare keys. */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return toText(value)
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${key}: ${toLiteral(member)}`)
  return `{ ${members.join(', ')} }`
}

function toText(value: string): string {
  const escaped = value.replaceAll(/[\\']/g, '\\$&')
  return `'${escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}
