import { Validator, type Schema } from '@cfworker/json-schema'
import schema20241105 from '../spec/schema/2024-11-05.json' with { type: 'json' }
import schema20250326 from '../spec/schema/2025-03-26.json' with { type: 'json' }
import schema20250618 from '../spec/schema/2025-06-18.json' with { type: 'json' }
import schema20251125 from '../spec/schema/2025-11-25.json' with { type: 'json' }
import schema20260728 from '../spec/schema/2026-07-28.json' with { type: 'json' }

/** The official JSON Schema of each revision, newest first. */
const official = {
  '2026-07-28': schema20260728,
  '2025-11-25': schema20251125,
  '2025-06-18': schema20250618,
  '2025-03-26': schema20250326,
  '2024-11-05': schema20241105,
} as const

export type OfficialRevision = keyof typeof official

export const newestRevision = '2026-07-28'

export function isOfficialRevision(version: unknown): version is OfficialRevision {
  return typeof version === 'string' && Object.hasOwn(official, version)
}

/** The definition of the result of each method. */
const results: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
}

const errors: Readonly<Record<number, string>> = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
}

/**
 * Validates a message of a server by the official JSON Schema. `method` is that of the request that
 * the message responds to.
 *
 * @returns what is wrong with it.
 */
export function findMessageProblems(
  message: unknown,
  method: string,
  revision: OfficialRevision = newestRevision,
): readonly string[] {
  if (!isObject(message)) return ['The message is not an object.']
  if (revision !== newestRevision) return findLegacyProblems(message, method, revision)
  const { result, error } = message
  if ('method' in message)
    return [
      ...validate(revision, 'JSONRPCNotification', message),
      ...validate(revision, 'ServerNotification', message),
    ]
  if (result !== undefined) {
    return [
      ...validate(revision, 'JSONRPCResultResponse', message),
      ...validate(revision, toResultName(result, method), result),
    ]
  }
  const { code } = isObject(error) ? error : {}
  return validate(revision, errors[Number(code)] ?? 'JSONRPCErrorResponse', message)
}

function toResultName(result: unknown, method: string): string {
  const isQuestion = isObject(result) && result['resultType'] === 'input_required'
  return isQuestion ? 'InputRequiredResult' : (results[method] ?? 'EmptyResult')
}

/** In these revisions a server also sends requests. */
function findLegacyProblems(
  message: JsonRecord,
  method: string,
  revision: OfficialRevision,
): readonly string[] {
  const isNamed = revision === '2025-11-25'
  if ('method' in message) {
    const kind = 'id' in message ? 'Request' : 'Notification'
    return [
      ...validate(revision, `JSONRPC${kind}`, message),
      ...validate(revision, `Server${kind}`, message),
    ]
  }
  const { result } = message
  if (result !== undefined) {
    return [
      ...validate(revision, isNamed ? 'JSONRPCResultResponse' : 'JSONRPCResponse', message),
      ...validate(revision, results[method] ?? 'EmptyResult', result),
    ]
  }
  // a message whose id could not be read is answered without one, which older schemas do not have
  const identified = 'id' in message ? message : { ...message, id: 0 }
  return validate(revision, isNamed ? 'JSONRPCErrorResponse' : 'JSONRPCError', identified)
}

export type JsonRecord = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const validators = new Map<string, Validator>()

/**
 * Validates a value by a definition of a revision's JSON Schema. In revisions before the newest one, it
 * may only have members that the schema names: clients of that time know no others.
 *
 * @returns what is wrong with it.
 */
export function validate(
  revision: OfficialRevision,
  definition: string,
  value: unknown,
): readonly string[] {
  const key = `${revision} ${definition}`
  const validator = validators.get(key) ?? createValidator(revision, definition)
  validators.set(key, validator)
  // undefined members are not part of the message
  const { errors } = validator.validate(JSON.parse(JSON.stringify(value)))
  return errors.map(({ instanceLocation, error }) => `${definition} ${instanceLocation}: ${error}`)
}

function createValidator(revision: OfficialRevision, definition: string): Validator {
  const schema = official[revision]
  const keyword = '$defs' in schema ? '$defs' : 'definitions'
  const definitions: object = '$defs' in schema ? schema.$defs : schema.definitions
  if (!Object.hasOwn(definitions, definition)) {
    throw new Error(`The schema of ${revision} has no ${definition}.`)
  }
  const dialect = keyword === '$defs' ? '2020-12' : '7'
  const $ref = `#/${keyword}/${definition}`
  return new Validator({ [keyword]: toSchema(revision, definitions), $ref }, dialect, false)
}

/** Members of any name are legal in these. */
const open: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', '_meta'])

/** Adds the format of Base64, which the validator does not know, and closes the objects of old revisions. */
function toSchema(revision: OfficialRevision, definitions: object): Schema {
  return JSON.parse(JSON.stringify(definitions), (key, value: unknown) => {
    if (!isObject(value)) return value
    if (value['format'] === 'byte') return { ...value, pattern: base64 }
    const isOpen = revision === newestRevision || open.has(key) || key.startsWith('JSONRPC')
    return isOpen ? value : close(key, value)
  })
}

/** An empty result has no members at all. */
const emptyResult = { type: 'object', additionalProperties: false }

function close(key: string, schema: JsonRecord): JsonRecord {
  if (key === 'EmptyResult') return emptyResult
  const { properties, type, additionalProperties } = schema
  if (type !== 'object' || !isObject(properties) || additionalProperties !== undefined)
    return schema
  // definitions of requests and notifications may lack what every JSON-RPC message has
  const rpc = 'method' in properties ? { jsonrpc: {}, id: {} } : {}
  return { ...schema, properties: { ...rpc, ...properties }, additionalProperties: false }
}

const base64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
