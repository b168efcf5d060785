import type { InputRequest } from '../input-request.ts'
import type { JsonObject } from '../json.ts'
import { revision20250326 } from './2025-03-26.ts'
import { type Revision, omit } from './revision.ts'

const newer = revision20250326

/** Revision 2024-11-05: without audio, hints of tools, and messages of progress. */
export const revision20241105: Revision = {
  ...newer,
  version: '2024-11-05',
  hasBatches: false,
  lacking: /"(?:structuredContent|icons|title|_meta|lastModified|resource_link|audio)"/,
  toBlock: (block) => newer.toBlock(toSeenBlock(block)),
  toServerCapabilities: (capabilities) =>
    newer.toServerCapabilities(omit(capabilities, 'completions')),
  toListed: (list, entry) =>
    list === 'tools'
      ? omit(newer.toListed(list, entry), 'annotations')
      : newer.toListed(list, entry),
  toNotification(notification) {
    const { method, params } = newer.toNotification(notification)
    const isProgress = method === 'notifications/progress' && params !== undefined
    return isProgress
      ? { method, params: omit(params, 'message') }
      : { method, ...(params && { params }) }
  },
  toClientRequest: (request, id) => (hasAudio(request) ? null : newer.toClientRequest(request, id)),
}

function hasAudio(request: InputRequest): boolean {
  if (request.method !== 'sampling/createMessage') return false
  const blocks = request.params.messages.flatMap(({ content }) => content)
  return blocks.some(({ type }) => type === 'audio')
}

function toSeenBlock(block: JsonObject): JsonObject {
  const { type, mimeType, annotations } = block
  if (type !== 'audio') return block
  const text = `Audio (${String(mimeType)}) was left out: it is not part of protocol revision 2024-11-05.`
  return { type: 'text', text, ...(annotations !== undefined && { annotations }) }
}
