import { toBase64 } from '../../kit/base64.ts'
import type { BlobResourceContents, TextResourceContents } from '../../wire/content.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import { collectStream } from './collect-stream.ts'
import { tooLarge } from './size-limit.ts'

/** What reads of one resource have in common. */
export interface ContentsSettings {
  readonly uri: string
  readonly mime: string
  /** Bytes that one result may have. */
  readonly maxBytes: number
  /** Aborts a stream that takes too long. */
  readonly signal: AbortSignal
}

type ResourceContents = TextResourceContents | BlobResourceContents

/**
 * Converts what a read returned to what the wire carries, or to `null` where nothing is there: an
 * empty list says the same, as the wire must not carry one (server/resources, "Error Handling").
 *
 * @throws {TypeError} for what only an untyped author would return.
 */
export async function toResourceContents(
  returned: unknown,
  settings: ContentsSettings,
): Promise<readonly ResourceContents[] | null> {
  const { uri, mime, maxBytes, signal } = settings
  if (returned === null) return null
  if (typeof returned === 'string') return [{ uri, mimeType: mime, text: returned }]
  if (returned instanceof Uint8Array) return [fromBytes(returned, settings)]
  if (returned instanceof ReadableStream) {
    return [fromBytes(await collectStream(uri, returned, maxBytes, signal), settings)]
  }
  const parts: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  return parts.length === 0 ? null : parts.map((part) => fromPart(part, settings))
}

function fromPart(part: unknown, settings: ContentsSettings): ResourceContents {
  if (!isJsonObject(part)) throw unreadable(settings)
  const uri = readText(part, 'uri', settings) ?? settings.uri
  const mimeType = readText(part, 'mime', settings) ?? settings.mime
  const text = readText(part, 'text', settings)
  if (text !== undefined) return { uri, mimeType, text }
  const { blob } = part
  if (typeof blob !== 'string' && !(blob instanceof Uint8Array)) throw unreadable(settings)
  if (blob.length > settings.maxBytes) throw tooLarge(settings.uri, settings.maxBytes)
  return { uri, mimeType, blob: toBase64(blob) }
}

function readText(part: JsonObject, key: string, settings: ContentsSettings): string | undefined {
  const value = part[key]
  if (value !== undefined && typeof value !== 'string') throw unreadable(settings)
  return value
}

/** Bytes are text where their media type says so and they are UTF-8: a model can read that. */
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
  return new TypeError(
    `${uri} was read as something else than text, bytes, a stream, contents or null.`,
  )
}
