import type { AudioContent, Content, ImageContent, TextContent } from './content.ts'
import { type JsonObject, isJsonObject } from './json.ts'

/** The restricted JSON Schema of a form: a flat object (client/elicitation, "Requested Schema"). */
export type FormSchema = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required?: readonly string[]
}

/** Asks the user to fill in a form, or to open a link (client/elicitation). */
interface ElicitRequest {
  readonly method: 'elicitation/create'
  readonly params:
    | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: FormSchema }
    | { readonly mode: 'url'; readonly message: string; readonly url: string }
}

/** A block of a sampling message (schema, "SamplingMessageContentBlock"). */
export type SamplingContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent

/** The model asks for a call of one of the `tools` of its request (client/sampling). */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** Send it back with the block: some models cache by it. */
  readonly _meta?: JsonObject
}

/** The result of a {@link ToolUseContent}, for the next request. Its message has nothing else. */
export interface ToolResultContent {
  readonly type: 'tool_result'
  /** The `id` of the block that asked for it. */
  readonly toolUseId: string
  readonly content: readonly Content[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

/** A tool that the model may ask for, in this request only. It need not be a tool of the server. */
export interface SamplingTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject & { readonly type: 'object' }
  readonly outputSchema?: JsonObject
}

export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: SamplingContent | readonly SamplingContent[]
}

/** The parameters of a sampling request; the client may change or refuse them (client/sampling). */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  /** Priorities are 0 to 1; hints are names of models or parts of names, best first. */
  readonly modelPreferences?: {
    readonly hints?: readonly { readonly name?: string }[]
    readonly costPriority?: number
    readonly speedPriority?: number
    readonly intelligencePriority?: number
  }
  /** Tools for the model. Only for clients with `can.sampleTools`. */
  readonly tools?: readonly SamplingTool[]
  /** Only for clients with `can.sampleTools`; `auto` by default. */
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
  /**
   * Adds what the client knows from this server, or from all. Only for clients with
   * `can.sampleContext`.
   *
   * @deprecated The protocol removes the values other than `none` (SEP-2596).
   */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  /** Passed to the provider of the model. */
  readonly metadata?: JsonObject
}

/** Asks the client's model to write a message (client/sampling). */
interface CreateMessageRequest {
  readonly method: 'sampling/createMessage'
  readonly params: CreateMessageParams
}

/** Asks for the folders that the user works in (client/roots). */
interface ListRootsRequest {
  readonly method: 'roots/list'
}

/** A request that a server may send to a client before a result (basic/patterns/mrtr). */
export type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest

/** The user's response to a form or a link (client/elicitation, "Response Actions"). */
type ElicitResult =
  | { readonly action: 'accept'; readonly content: unknown }
  | { readonly action: 'decline' | 'cancel' }

/** Reads a response to `elicitation/create`. Its `content` is not checked yet. */
export function readElicitResult(response: unknown): ElicitResult | null {
  if (!isJsonObject(response)) return null
  const { action, content } = response
  if (action === 'accept') return { action, content }
  return action === 'decline' || action === 'cancel' ? { action } : null
}
