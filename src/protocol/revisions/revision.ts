import type { InputRequest } from '../input-request.ts'
import { type JsonObject, isJsonObject } from '../json.ts'
import type { ServerNotification } from '../message.ts'

/** The lists of the protocol, by the member of their result. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

/**
 * A revision of the protocol that begins with `initialize`. Everything inside the server has the
 * shapes of revision 2026-07-28; a revision converts what leaves the server, and says what its
 * clients can do. Each one is made from the next newer one.
 */
export interface Revision {
  readonly version: string
  /** Whether one POST may have an array of messages. */
  readonly hasBatches: boolean
  /** Whether the stream of a response begins with an event that only has an id. */
  readonly hasPriming: boolean
  /** How invalid arguments of a tool are answered: with an `isError` result, or with a JSON-RPC error. */
  readonly inputErrors: 'result' | 'error'
  /** Reads what an `initialize` request declares: the capabilities that this revision has. */
  readonly readClientCapabilities: (declared: JsonObject) => JsonObject
  readonly toServerCapabilities: (capabilities: JsonObject) => JsonObject
  readonly toServerInfo: (info: JsonObject) => JsonObject
  /** Converts one entry of a list. */
  readonly toListed: (list: ListName, entry: JsonObject) => JsonObject
  /** Finds whatever this revision may lack in the text of a result. A match need not mean anything. */
  readonly lacking: RegExp
  readonly hasStructuredContent: boolean
  /** Converts one content block of a tool result or of a prompt message. */
  readonly toBlock: (block: JsonObject) => JsonObject
  /** Converts the contents of a resource. */
  readonly toContents: (contents: JsonObject) => JsonObject
  readonly toNotification: (notification: ServerNotification) => ServerNotification
  /**
   * Converts a request to the client. `null` if this revision has no form for it, such as a field
   * with several choices before 2025-11-25.
   */
  readonly toClientRequest: (request: InputRequest, id: string) => JsonObject | null
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
export function mapMessages(messages: unknown, toBlock: Revision['toBlock']): unknown {
  return mapObjects(messages, (message) => {
    const { content } = message
    return isJsonObject(content) ? { ...message, content: toBlock(content) } : message
  })
}
