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

/** A tool's value together with content blocks of the author's own; made by {@link reply}. */
export class Reply<Value> {
  readonly value: Value
  readonly content: readonly Content[]

  constructor(value: Value, content: readonly Content[]) {
    this.value = value
    this.content = content
  }
}

/**
 * Returns a value with content of its own. Text replaces the JSON copy of the value that Helve
 * prints for older clients; images, audio, links and embedded resources are added after it.
 *
 * @example return reply({ sku, price }, image(bytes, 'image/png'))
 */
export function reply<Value>(
  value: Value,
  ...content: readonly (Content | string)[]
): Reply<Value> {
  return new Reply(
    value,
    content.map((block) => (typeof block === 'string' ? text(block) : block)),
  )
}

/** A text block. A plain string does the same; this form takes annotations. */
export function text(text: string, annotations?: Annotations): TextContent {
  return { type: 'text', text, ...annotated(annotations) }
}

/** An image block from bytes, or from text that is Base64 already. */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  annotations?: Annotations,
): ImageContent {
  return { type: 'image', data: toBase64(data), mimeType, ...annotated(annotations) }
}

/** An audio block from bytes, or from text that is Base64 already. */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  annotations?: Annotations,
): AudioContent {
  return { type: 'audio', data: toBase64(data), mimeType, ...annotated(annotations) }
}

/** A link to a resource that the client may read later; it need not be in `resources/list`. */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  return { type: 'resource_link', ...link }
}

/** A resource carried whole inside the result: give its `text`, or its bytes as `blob`. */
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
