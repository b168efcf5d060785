import type { CreateMessageParams, InputRequest, SamplingContent } from '../input-request.ts'
import { type JsonObject, isJsonObject } from '../json.ts'
import { type ListName, type Revision, omit } from './revision.ts'
import { toObjectOutput, toObjectProperties } from './tool-schemas.ts'

/** Revision 2025-11-25, which 2026-07-28 was made from. */
export const revision20251125: Revision = {
  version: '2025-11-25',
  hasBatches: false,
  hasPriming: true,
  inputErrors: 'result',
  lacking: /"structuredContent":[^{]/,
  hasStructuredContent: true,
  toBlock: (block) => block,
  toContents: (contents) => contents,
  readClientCapabilities,
  toServerCapabilities: (capabilities) => omit(capabilities, 'extensions'),
  toServerInfo: (info) => info,
  toListed,
  // 2026-07-28 added the id of a subscription
  toNotification: ({ method, params }) =>
    params === undefined ? { method } : { method, params: omit(params, '_meta') },
  toClientRequest,
}

function readClientCapabilities({ elicitation, sampling, roots }: JsonObject): JsonObject {
  return {
    ...(isJsonObject(elicitation) && { elicitation: readModes(elicitation) }),
    ...(isJsonObject(sampling) && { sampling: readFlags(sampling, 'tools', 'context') }),
    ...(isJsonObject(roots) && { roots: {} }),
  }
}

/** Elicitation without a mode means forms (client/elicitation, "Capabilities"). */
function readModes(elicitation: JsonObject): JsonObject {
  const modes = readFlags(elicitation, 'form', 'url')
  return 'url' in modes ? modes : { form: {} }
}

function readFlags(declared: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => isJsonObject(declared[name])).map((name) => [name, {}]),
  )
}

/** In 2025-11-25 the schemas of a tool are for objects, and so are those of their properties. */
function toListed(list: ListName, entry: JsonObject): JsonObject {
  if (list !== 'tools') return entry
  const { inputSchema, outputSchema } = entry
  return {
    ...entry,
    ...(isJsonObject(inputSchema) && { inputSchema: toObjectProperties(inputSchema) }),
    ...(isJsonObject(outputSchema) && { outputSchema: toObjectOutput(outputSchema) }),
  }
}

function toClientRequest(request: InputRequest, id: string): JsonObject {
  const { method } = request
  switch (method) {
    case 'elicitation/create': {
      const { params } = request
      return { method, params: params.mode === 'url' ? { ...params, elicitationId: id } : params }
    }
    case 'sampling/createMessage':
      return { method, params: toSamplingParams(request.params) }
    case 'roots/list':
      return { method }
  }
}

function toSamplingParams(params: CreateMessageParams): JsonObject {
  const { messages, tools } = params
  return {
    ...params,
    messages: messages.map(({ content, ...message }) => ({
      ...message,
      content: 'type' in content ? toSamplingBlock(content) : content.map(toSamplingBlock),
    })),
    ...(tools !== undefined && { tools: tools.map((tool) => toListed('tools', { ...tool })) }),
  }
}

function toSamplingBlock(block: SamplingContent): SamplingContent {
  if (block.type !== 'tool_result') return block
  const { structuredContent: value } = block
  const isFitting = value === undefined || isJsonObject(value)
  return isFitting ? block : { ...block, structuredContent: { result: value } }
}
