import type { InputRequest } from '../input-request.ts'
import { type JsonObject, isJsonObject } from '../json.ts'
import { revision20250618 } from './2025-06-18.ts'
import { type ListName, type Revision, mapMessages, omit } from './revision.ts'

const newer = revision20250618

/**
 * Revision 2025-03-26: without titles, structured content, links to resources, forms, and `_meta` of
 * anything but requests and results.
 */
export const revision20250326: Revision = {
  ...newer,
  version: '2025-03-26',
  hasBatches: true,
  lacking: /"(?:structuredContent|icons|title|_meta|lastModified|resource_link)"/,
  hasStructuredContent: false,
  toBlock,
  toContents: (contents) => newer.toContents(omit(contents, '_meta')),
  readClientCapabilities: (declared) => newer.readClientCapabilities(omit(declared, 'elicitation')),
  toServerInfo: (info) => newer.toServerInfo(omit(info, 'title')),
  toListed,
  toClientRequest,
}

function toBlock(block: JsonObject): JsonObject {
  const { type, uri, name, resource } = block
  const plain = withoutAge(omit(block, '_meta'))
  if (type === 'resource_link') {
    const { annotations } = plain
    const text = { type: 'text', text: `${String(name)}: ${String(uri)}` }
    return annotations === undefined ? text : { ...text, annotations }
  }
  const embedded = isJsonObject(resource) ? { resource: omit(resource, '_meta') } : {}
  return newer.toBlock({ ...plain, ...embedded })
}

function withoutAge(value: JsonObject): JsonObject {
  const { annotations } = value
  if (!isJsonObject(annotations)) return value
  return { ...value, annotations: omit(annotations, 'lastModified') }
}

function toListed(list: ListName, entry: JsonObject): JsonObject {
  const { title, annotations, arguments: args } = entry
  const plain = withoutAge(omit(entry, 'title', 'outputSchema', '_meta'))
  const titled =
    list === 'tools' && title !== undefined
      ? { ...plain, annotations: { title, ...Object(annotations) } }
      : plain
  const named = Array.isArray(args)
    ? { arguments: args.filter(isJsonObject).map((one) => omit(one, 'title')) }
    : {}
  return newer.toListed(list, { ...titled, ...named })
}

function toClientRequest(request: InputRequest, id: string): JsonObject | null {
  if (request.method === 'elicitation/create') return null
  const converted = newer.toClientRequest(request, id)
  const { params } = converted ?? {}
  if (!isJsonObject(params)) return converted
  return { ...converted, params: { ...params, messages: mapMessages(params['messages'], toBlock) } }
}
