import type {
  Annotations,
  AudioContent,
  Content,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from '../protocol/content.ts'
import { readBinary } from '../protocol/read-content.ts'

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

/** Bytes, Base64 text in any spelling, or a data URL of Base64. */
type Binary = Uint8Array | ArrayBuffer | string

/**
 * An image block from bytes, from Base64 text or from a data URL.
 *
 * @throws {TypeError} for text that is not Base64, such as another URL.
 */
export function image(data: Binary, mimeType: string, annotations?: Annotations): ImageContent {
  return { type: 'image', ...readBinary(data, mimeType, 'data'), ...annotated(annotations) }
}

/**
 * An audio block from bytes, from Base64 text or from a data URL.
 *
 * @throws {TypeError} for text that is not Base64, such as another URL.
 */
export function audio(data: Binary, mimeType: string, annotations?: Annotations): AudioContent {
  return { type: 'audio', ...readBinary(data, mimeType, 'data'), ...annotated(annotations) }
}

/** A link to a resource that the client may read later. It may be absent from `resources/list`. */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  return { type: 'resource_link', ...link }
}

/** A resource inside the result: its `text`, or its bytes as `blob`. */
export function embed(
  resource: { readonly uri: string; readonly mimeType?: string } & (
    | { readonly text: string }
    | { readonly blob: Binary }
  ),
  annotations?: Annotations,
): EmbeddedResource {
  return { type: 'resource', resource: toContents(resource), ...annotated(annotations) }
}

type Embedded = Parameters<typeof embed>[0]

function toContents(resource: Embedded): EmbeddedResource['resource'] {
  if (!('blob' in resource)) return resource
  const { data, mimeType } = readBinary(resource.blob, resource.mimeType, 'blob')
  return { ...resource, ...(mimeType !== undefined && { mimeType }), blob: data }
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
