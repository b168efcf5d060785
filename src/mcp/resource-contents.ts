import type { BlobResourceContents, TextResourceContents } from '../protocol/content.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { readBinary, readContents } from '../protocol/read-content.ts'
import { concatBytes, toBase64, toBytes } from '../util/bytes.ts'
import { tooLarge } from './result-size.ts'

interface ContentsSettings {
  readonly uri: string
  readonly mime: string
  readonly maxBytes: number
  /** Its signal aborts a stream that takes too long. */
  readonly deadline: { readonly signal: AbortSignal }
}

type ResourceContents = TextResourceContents | BlobResourceContents

/**
 * Converts the value of `read` to contents of the protocol; `null` if there is no such resource. An
 * empty list also means that, because the protocol does not allow it (server/resources, "Error
 * Handling").
 *
 * @throws {TypeError} for a value that the types forbid.
 */
export async function toResourceContents(
  returned: unknown,
  settings: ContentsSettings,
): Promise<readonly ResourceContents[] | null> {
  const { uri, mime, maxBytes, deadline } = settings
  if (returned === null) return null
  if (typeof returned === 'string') return [{ uri, mimeType: mime, text: returned }]
  const bytes = toBytes(returned)
  if (bytes !== null) return [fromBytes(bytes, settings)]
  if (returned instanceof ReadableStream) {
    return [fromBytes(await collectStream(uri, returned, maxBytes, deadline.signal), settings)]
  }
  const parts: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  return parts.length === 0 ? null : Array.from(parts, (part) => fromPart(part, settings))
}

function fromPart(part: unknown, settings: ContentsSettings): ResourceContents {
  if (!isJsonObject(part)) throw unreadable(settings)
  const { text, blob } = part
  // an empty URI is not the URI of anything (server/resources, "Resource Contents")
  const uri = isAbsent(part['uri']) || part['uri'] === '' ? settings.uri : part['uri']
  if (!isAbsent(text)) return read({ uri, mimeType: part['mime'] ?? settings.mime, text }, settings)
  if (isAbsent(blob)) throw unreadable(settings)
  // before it is converted, which takes more memory than it has
  if (toLength(blob) > settings.maxBytes) throw tooLarge(settings.uri, settings.maxBytes)
  const { data, mimeType } = readBinary(blob, part['mime'], `blob of ${settings.uri}`)
  return read({ uri, mimeType: mimeType ?? settings.mime, blob: data }, settings)
}

function read(contents: JsonObject, { uri }: ContentsSettings): ResourceContents {
  return readContents(contents, `contents of ${uri}: `)
}

function toLength(blob: unknown): number {
  return typeof blob === 'string' ? blob.length : (toBytes(blob)?.byteLength ?? 0)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/**
 * Converts bytes to text if their media type is textual and they are UTF-8, so that a model can
 * read them.
 */
function fromBytes(bytes: Uint8Array, { uri, mime, maxBytes }: ContentsSettings): ResourceContents {
  if (bytes.byteLength > maxBytes) throw tooLarge(uri, maxBytes)
  const text = isTextual(mime) ? decode(bytes) : null
  return text === null
    ? { uri, mimeType: mime, blob: toBase64(bytes) }
    : { uri, mimeType: mime, text }
}

const textual =
  /^text\/|^application\/(?:json|xml|yaml|toml|javascript|x-ndjson)\b|\+(?:json|xml|yaml)\b/i

function isTextual(mime: string): boolean {
  return textual.test(mime)
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

function unreadable({ uri }: ContentsSettings): TypeError {
  return new TypeError(`${uri} was not read as text, bytes, a stream, contents or null.`)
}

/**
 * Collects up to `maxBytes` from a stream. A stream that is longer, or whose `signal` aborts, is
 * cancelled, so that its source stops sending.
 *
 * @throws {ToolError} when there are more bytes.
 * @throws {TypeError} when a chunk is not bytes.
 */
async function collectStream(
  what: string,
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // not pipeTo: in workerd its signal has no effect while the stream is silent
  const reader: ReadableStreamDefaultReader<unknown> = stream.getReader()
  // a stream that cannot be cancelled concerns no client any more
  const cancel = (reason: unknown): void => void reader.cancel(reason).catch(() => {})
  const leave = (): void => cancel(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, value } = await reader.read()
      if (done) return concatBytes(chunks)
      if (!(value instanceof Uint8Array)) {
        throw new TypeError(`${what} returned a stream that does not contain bytes.`)
      }
      length += value.byteLength
      if (length > maxBytes) throw tooLarge(what, maxBytes)
      chunks.push(value)
    }
  } catch (error) {
    cancel(error)
    throw error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
