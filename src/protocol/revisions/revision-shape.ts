import { type JsonObject, isJsonObject } from '../json.ts'
import type { Revision } from './revision.ts'

/** What a revision lacks of the newest one. Each older revision is made from the next newer one. */
export interface RevisionShape extends Omit<Revision, 'toResult'> {
  /** Finds whatever this revision may lack in the text of a result. A match need not mean anything. */
  readonly lacking: RegExp
  readonly hasStructuredContent: boolean
  /** Converts one content block of a tool result or of a prompt message. */
  readonly toBlock: (block: JsonObject) => JsonObject
  /** Converts the contents of a resource. */
  readonly toContents: (contents: JsonObject) => JsonObject
}

/** Copies an object without some of its members. */
export function omit(value: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** Converts the objects of an array. Anything else is returned as it is. */
export function mapObjects(items: unknown, convert: (item: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(items)) return items
  return items.map((item: unknown) => (isJsonObject(item) ? convert(item) : item))
}

/** Converts the content of each message, which is one block. */
export function mapMessages(messages: unknown, toBlock: RevisionShape['toBlock']): unknown {
  return mapObjects(messages, (message) => {
    const { content } = message
    return isJsonObject(content) ? { ...message, content: toBlock(content) } : message
  })
}
