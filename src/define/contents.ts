/** One piece of what a resource holds; a directory may hold several (server/resources). */
export type ContentsPart = {
  /** Where this piece stands by itself; the URI that was read unless said otherwise. */
  readonly uri?: string
  /** The media type of this piece; that of the resource unless said otherwise. */
  readonly mime?: string
} & (
  | { readonly text: string }
  /** Bytes, or text that is Base64 already. */
  | { readonly blob: Uint8Array | string }
)

/**
 * What a read may return; `null` where nothing is. Plain bytes and streams become text where the
 * media type is one of text and they are UTF-8, and Base64 otherwise: `{ blob }` is always Base64.
 */
export type Contents =
  | string
  | Uint8Array
  | ReadableStream<Uint8Array>
  | ContentsPart
  | readonly ContentsPart[]
  | null
