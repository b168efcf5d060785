import type { JsonObject } from './json.ts'

/** The audience, importance and age of a content block (server/resources, "Annotations"). */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  /** From 0, entirely optional, to 1, effectively required. */
  readonly priority?: number
  /** ISO 8601, such as `2026-11-30T12:00:00Z`. */
  readonly lastModified?: string
}

/** An image that a client may show beside a name (basic/index, "icons"). */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

export interface TextContent {
  readonly type: 'text'
  readonly text: string
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export interface ImageContent {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export interface AudioContent {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export interface ResourceLink {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export interface TextResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
  readonly _meta?: JsonObject
}

export interface BlobResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly blob: string
  readonly _meta?: JsonObject
}

export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: TextResourceContents | BlobResourceContents
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

/** One block of a tool result or of a prompt message (server/tools, "Tool Result"). */
export type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

/** One message of a prompt (server/prompts, "PromptMessage"). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Content
}

/** The self-declared identity of a client or server: for display and logs only (basic/index). */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}
