import type { Content } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'

/** Tells what a tool without `output` may return from what only an untyped author would. */
export function isContent(value: unknown): value is Content | readonly Content[] {
  return Array.isArray(value) ? value.every(isBlock) : isBlock(value)
}

/** Tells one content block from anything else. */
export function isBlock(value: unknown): value is Content {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case 'text':
      return isText(value['text'])
    case 'image':
    case 'audio':
      return isText(value['data']) && isText(value['mimeType'])
    case 'resource_link':
      return isText(value['uri']) && isText(value['name'])
    case 'resource':
      return isContents(value['resource'])
    default:
      return false
  }
}

function isContents(value: unknown): boolean {
  return (
    isJsonObject(value) && isText(value['uri']) && (isText(value['text']) || isText(value['blob']))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
