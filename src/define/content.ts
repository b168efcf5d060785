import { toBase64 } from '../kit/base64.ts'
import type {
  Annotations,
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from '../wire/content.ts'

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
