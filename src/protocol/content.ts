import { isJsonObject } from './json.ts'

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
}

export interface ImageContent {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
}

export interface AudioContent {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
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
}

export interface TextResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
}

export interface BlobResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly blob: string
}

export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: TextResourceContents | BlobResourceContents
  readonly annotations?: Annotations
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

/** Returns whether a value is what a tool without `output` may return: text or content blocks. */
export function isContent(value: unknown): value is Content | readonly Content[] {
  return Array.isArray(value) ? value.every(isContentBlock) : isContentBlock(value)
}

export function isContentBlock(value: unknown): value is Content {
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
