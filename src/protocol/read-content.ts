import { toBase64, toBytes, toStandardBase64 } from '../util/bytes.ts'
import type {
  AudioContent,
  BlobResourceContents,
  Content,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from './content.ts'
import { type JsonObject, isJsonObject } from './json.ts'
import {
  type Shape,
  annotations,
  anyText,
  anyUri,
  createWrong,
  isMediaType,
  mediaType,
  meta,
  readMembers,
  required,
  resourceMembers,
  toPlain,
  toShown,
} from './read-members.ts'

/** Reads one content block. A `resource` block is read with the contents in it. */
export function readContentBlock(value: unknown, at: string): Content {
  if (!isJsonObject(value)) throw createWrong(at, value, contentWanted)
  const within = `${at}.`
  return readPlainBlock(toPlain(value, within), within)
}

function readPlainBlock(value: JsonObject, within: string): Content {
  switch (value['type']) {
    case 'text':
      return readMembers(textShape, value, within)
    case 'image':
      return readMembers(imageShape, withBinary(value, 'data', within), within)
    case 'audio':
      return readMembers(audioShape, withBinary(value, 'data', within), within)
    case 'resource_link':
      return readMembers(linkShape, value, within)
    case 'resource':
      return readMembers(embeddedShape, value, within)
    default:
      throw createWrong(`${within}type`, value['type'], `one of ${contentTypes.join(', ')}`)
  }
}

const contentWanted = 'a content block, as text(...), image(...) and the others create'

const contentTypes: readonly unknown[] = ['text', 'image', 'audio', 'resource_link', 'resource']

/** Returns whether a value claims to be a content block, which may still have wrong members. */
export function hasContentType(value: unknown): boolean {
  return isJsonObject(value) && contentTypes.includes(value['type'])
}

const inBlock = { type: required(anyText), annotations, _meta: meta }

const textShape: Shape<TextContent> = { ...inBlock, text: required(anyText) }

const mediaMembers = { data: required(anyText), mimeType: required(mediaType) }

const imageShape: Shape<ImageContent> = { ...inBlock, ...mediaMembers }

const audioShape: Shape<AudioContent> = { ...inBlock, ...mediaMembers }

const linkShape: Shape<ResourceLink> = { ...inBlock, ...resourceMembers, mimeType: anyText }

const embeddedShape: Shape<EmbeddedResource> = {
  ...inBlock,
  resource: required({
    wanted: 'the contents of a resource, such as { uri, text }',
    read: (value, at) => (isJsonObject(value) ? readContents(value, `${at}.`) : undefined),
  }),
}

/** Reads the contents of a resource: its `text`, or Base64 in `blob`. */
export function readContents(
  contents: JsonObject,
  at: string,
): TextResourceContents | BlobResourceContents {
  const value = toPlain(contents, at)
  return isNothing(value['text']) && !isNothing(value['blob'])
    ? readMembers(blobShape, withBinary(value, 'blob', at), at)
    : readMembers(textContentsShape, value, at)
}

const inContents = { uri: required(anyUri), mimeType: anyText, _meta: meta }

const textContentsShape: Shape<TextResourceContents> = { ...inContents, text: required(anyText) }

// with the text that a row of a database has beside it, as null
const blobShape: Shape<BlobResourceContents & { readonly text?: string }> = {
  ...inContents,
  text: anyText,
  blob: required(anyText),
}

function withBinary(value: JsonObject, key: 'data' | 'blob', at: string): JsonObject {
  const { data, mimeType } = readBinary(value[key], value['mimeType'], `${at}${key}`)
  return data === value[key] && mimeType === value['mimeType']
    ? value
    : { ...value, [key]: data, mimeType }
}

/** Base64 in its standard spelling. The media type is the given one, or else that of a data URL. */
interface Binary<MimeType> {
  readonly data: string
  readonly mimeType: MimeType | string
}

/**
 * Reads binary data: bytes, Base64 of any alphabet, or a data URL.
 *
 * @throws {TypeError} for anything else, and for a data URL of another media type than the given one.
 */
export function readBinary<MimeType>(
  data: unknown,
  mimeType: MimeType,
  at: string,
): Binary<MimeType> {
  const bytes = toBytes(data)
  if (bytes !== null) return { data: toBase64(bytes), mimeType }
  if (typeof data !== 'string') throw createWrong(at, data, 'bytes or Base64')
  const [start, parameters] = /^\s*data:([^,]*),/i.exec(data) ?? []
  if (start !== undefined && parameters !== undefined) {
    return readDataUrl(parameters, data.slice(start.length), mimeType, at)
  }
  const standard = toStandardBase64(data)
  if (standard === null) throw createNotBinary(at, data)
  return { data: standard, mimeType }
}

function readDataUrl<MimeType>(
  parameters: string,
  payload: string,
  mimeType: MimeType,
  at: string,
): Binary<MimeType> {
  const [type = '', ...others] = parameters.split(';').map((part) => part.trim().toLowerCase())
  const decoded = payload.includes('%') ? decodePercents(payload) : payload
  const data = others.at(-1) === 'base64' ? toStandardBase64(decoded) : null
  if (data === null) {
    throw new TypeError(`\`${at}\` is a data URL, but not of Base64. Pass bytes or Base64.`)
  }
  if (type === '') return { data, mimeType }
  if (isNothing(mimeType)) return { data, mimeType: type }
  if (!isMediaType(mimeType) || isSameType(type, String(mimeType))) return { data, mimeType }
  throw new TypeError(
    `\`${at}\` is a data URL of ${type}, but the media type is ${toShown(mimeType)}. ` +
      'Correct one of them.',
  )
}

function decodePercents(payload: string): string {
  try {
    return decodeURIComponent(payload)
  } catch {
    return payload
  }
}

function isSameType(a: string, b: string): boolean {
  return toPlainType(a) === toPlainType(b)
}

function toPlainType(type: string): string {
  const [plain = ''] = type.toLowerCase().split(';')
  return plain.trim().replace('image/jpg', 'image/jpeg')
}

function createNotBinary(at: string, data: string): TypeError {
  const isUrl = /^\s*[a-z][a-z0-9+.-]*:/i.test(data)
  const advice = isUrl
    ? 'Fetch the URL, and pass the bytes of the response'
    : 'Pass bytes or Base64'
  return new TypeError(`\`${at}\` is ${toShown(data)}, which is not Base64. ${advice}.`)
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}
