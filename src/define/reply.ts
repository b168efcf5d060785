import type {
  Annotations,
  AudioContent,
  Content,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from '../protocol/content.ts'
import { toBase64 } from '../util/bytes.ts'

/** A value with content blocks; see {@link reply}. */
export class Reply<Value> {
  readonly value: Value
  readonly content: readonly Content[]

  constructor(value: Value, content: readonly Content[]) {
    this.value = value
    this.content = content
  }
}

/**
 * Returns a value together with content blocks. Text replaces the JSON copy of the value that older
 * clients read; images, audio, links and embedded resources are added after the copy.
 *
 * @example return reply({ sku, price }, image(bytes, 'image/png'))
 */
export function reply<const Value>(
  value: Value,
  ...content: readonly (Content | string)[]
): Reply<Value> {
  return new Reply(
    value,
    content.map((block) => (typeof block === 'string' ? text(block) : block)),
  )
}

/** A text block. Use it instead of a plain string to add annotations. */
export function text(text: string, annotations?: Annotations): TextContent {
  return { type: 'text', text, ...annotated(annotations) }
}

/** An image block from bytes, or from Base64 text. */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  annotations?: Annotations,
): ImageContent {
  return { type: 'image', data: toBase64(data), mimeType, ...annotated(annotations) }
}

/** An audio block from bytes, or from Base64 text. */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  annotations?: Annotations,
): AudioContent {
  return { type: 'audio', data: toBase64(data), mimeType, ...annotated(annotations) }
}

/** A link to a resource that the client may read later. It may be absent from `resources/list`. */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  return { type: 'resource_link', ...link }
}

/** A resource inside the result: its `text`, or its bytes as `blob`. */
export function embed(
  resource: { readonly uri: string; readonly mimeType?: string } & (
    | { readonly text: string }
    | { readonly blob: Uint8Array | string }
  ),
  annotations?: Annotations,
): EmbeddedResource {
  const carried = 'blob' in resource ? { ...resource, blob: toBase64(resource.blob) } : resource
  return { type: 'resource', resource: carried, ...annotated(annotations) }
}

function annotated(annotations: Annotations | undefined): { annotations?: Annotations } {
  return annotations === undefined ? {} : { annotations }
}

/**
 * An error that the model may read: its message becomes the text of an `isError` result. Say what
 * happened, why, and what to do next. Anything else that a tool throws reaches the client as a
 * generic sentence with an error id (server/tools, "Error Handling").
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}
