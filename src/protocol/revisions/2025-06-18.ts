import type { CreateMessageParams, FormSchema, InputRequest } from '../input-request.ts'
import { type JsonObject, isJsonObject } from '../json.ts'
import { revision20251125 } from './2025-11-25.ts'
import { type Revision, omit } from './revision.ts'

const newer = revision20251125

/** Revision 2025-06-18: without icons, links to open, tools for the model, and richer forms. */
export const revision20250618: Revision = {
  ...newer,
  version: '2025-06-18',
  hasPriming: false,
  inputErrors: 'error',
  lacking: /"structuredContent":[^{]|"icons":/,
  toBlock: (block) => newer.toBlock(omit(block, 'icons')),
  readClientCapabilities(declared) {
    const { elicitation, sampling, ...others } = newer.readClientCapabilities(declared)
    return {
      ...(elicitation !== undefined && { elicitation: { form: {} } }),
      // `includeContext` is part of sampling here, without a capability of its own
      ...(sampling !== undefined && { sampling: { context: {} } }),
      ...others,
    }
  },
  toServerInfo: (info) => newer.toServerInfo(omit(info, 'icons', 'description', 'websiteUrl')),
  toListed: (list, entry) => newer.toListed(list, omit(entry, 'icons')),
  toClientRequest,
}

function toClientRequest(request: InputRequest, id: string): JsonObject | null {
  const { method } = request
  switch (method) {
    case 'elicitation/create': {
      const { params } = request
      if (params.mode === 'url') return null
      const { message } = params
      const requestedSchema = toSimpleForm(params.requestedSchema)
      return requestedSchema === null ? null : { method, params: { message, requestedSchema } }
    }
    case 'sampling/createMessage': {
      const params = toSimpleSampling(request.params)
      return params === null ? null : { method, params }
    }
    case 'roots/list':
      return newer.toClientRequest(request, id)
  }
}

function toSimpleForm({ properties, ...form }: FormSchema): JsonObject | null {
  const fields = Object.entries(properties).map(([name, field]) => [name, toSimpleField(field)])
  if (fields.some(([, field]) => field === null)) return null
  return { ...form, properties: Object.fromEntries(fields) }
}

/** Converts a field; `null` for several choices. Only a yes or no has a default in this revision. */
function toSimpleField(field: JsonObject): JsonObject | null {
  const { type, oneOf } = field
  if (type === 'array') return null
  if (type === 'boolean') return field
  const simple = omit(field, 'default', 'oneOf')
  if (!Array.isArray(oneOf)) return simple
  const options = oneOf.filter(isJsonObject)
  return {
    ...simple,
    enum: options.map(({ const: value }) => value),
    enumNames: options.map(({ title }) => title),
  }
}

/** Converts what the model is asked: one block in a message, and no tools. `null` if tools are used. */
function toSimpleSampling(params: CreateMessageParams): JsonObject | null {
  const { tools, toolChoice, ...others } = params
  if (tools !== undefined || toolChoice !== undefined) return null
  const messages = params.messages.flatMap(({ role, content }) =>
    [content].flat().map((block) => ({ role, content: block })),
  )
  if (messages.some(({ content }) => content.type.startsWith('tool_'))) return null
  return { ...others, messages }
}
