import { isJsonObject } from '../wire/json.ts'

/** Writes a JSON value as the source code of this project would: single quotes, bare keys. */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, '\\$&')}'`
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${key}: ${toLiteral(member)}`)
  return `{ ${members.join(', ')} }`
}
