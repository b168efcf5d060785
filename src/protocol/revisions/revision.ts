import type { InputRequest } from '../input-request.ts'
import type { JsonObject } from '../json.ts'
import type { ServerNotification } from '../message.ts'

/** The lists of the protocol, by the member of their result. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

/**
 * A revision of the protocol that begins with `initialize`. Everything inside the server has the
 * shapes of revision 2026-07-28; a revision converts what leaves the server, and says what its
 * clients can do.
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
  /** Converts the members of a result, which are JSON text without the outer braces. */
  readonly toResult: (method: string, members: string) => string
  readonly toNotification: (notification: ServerNotification) => ServerNotification
  /**
   * Converts a request to the client. `null` if this revision has no form for it, such as a field
   * with several choices before 2025-11-25.
   */
  readonly toClientRequest: (request: InputRequest, id: string) => JsonObject | null
}
