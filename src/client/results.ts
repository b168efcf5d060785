import type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  Content,
  EmbeddedResource,
  Icon,
  ImageContent,
  Implementation,
  PromptMessage,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from '../protocol/content.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import {
  type ShapeOf,
  anything,
  isBoolean,
  eitherOf,
  listOf,
  isNumber,
  isObject,
  objectOf,
  oneOf,
  maybe,
  isText,
} from './shapes.ts'

/** A tool in `tools/list` (server/tools, "Tool"). */
export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject & { readonly type: 'object' }
  readonly outputSchema?: JsonObject
  /** Hints, which are not to be trusted unless the server is. */
  readonly annotations?: {
    readonly title?: string
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint?: boolean
  }
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** A resource in `resources/list` (server/resources, "Resource"). */
export type ListedResource = Omit<ResourceLink, 'type'>

/** A template in `resources/templates/list` (server/resources, "Resource Templates"). */
export type ListedTemplate = Omit<ListedResource, 'uri' | 'size'> & { readonly uriTemplate: string }

/** A prompt in `prompts/list` (server/prompts, "Prompt"). */
export interface ListedPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly {
    readonly name: string
    readonly title?: string
    readonly description?: string
    readonly required?: boolean
  }[]
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** What a tool returned (server/tools, "Tool Result"). */
export interface CallResult {
  readonly content: readonly Content[]
  readonly structuredContent?: unknown
  /** The tool failed, and `content` says why. */
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

export interface ReadResult {
  readonly contents: readonly (TextResourceContents | BlobResourceContents)[]
  /** How long the contents may be kept, in milliseconds (server/utilities/caching). */
  readonly ttlMs?: number
  readonly cacheScope?: 'public' | 'private'
  readonly _meta?: JsonObject
}

export interface PromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: JsonObject
}

export interface CompletionResult {
  readonly completion: {
    readonly values: readonly string[]
    readonly total?: number
    readonly hasMore?: boolean
  }
  readonly _meta?: JsonObject
}

/** What a server says about itself (server/discover). */
export interface DiscoverResult {
  readonly supportedVersions: readonly string[]
  readonly capabilities: JsonObject
  readonly instructions?: string
  readonly _meta?: JsonObject
}

const role = oneOf('user', 'assistant')

const icons = maybe(
  listOf(
    objectOf<Icon>({
      src: isText,
      mimeType: maybe(isText),
      sizes: maybe(listOf(isText)),
      theme: maybe(oneOf('light', 'dark')),
    }),
  ),
)

const annotations = maybe(
  objectOf<Annotations>({
    audience: maybe(listOf(role)),
    priority: maybe(isNumber),
    lastModified: maybe(isText),
  }),
)

const _meta = maybe(isObject)

const named = { name: isText, title: maybe(isText), description: maybe(isText), icons, _meta }

export const serverInfo: ShapeOf<Implementation> = objectOf<Implementation>({
  name: isText,
  version: isText,
  title: maybe(isText),
  description: maybe(isText),
  websiteUrl: maybe(isText),
  icons,
})

const schemaOfObject: ShapeOf<ListedTool['inputSchema']> = (
  value,
  trace,
): value is ListedTool['inputSchema'] => {
  const isRight = isJsonObject(value) && value['type'] === 'object'
  if (!isRight) trace.push('type')
  return isRight
}

export const listedTool: ShapeOf<ListedTool> = objectOf<ListedTool>({
  ...named,
  inputSchema: schemaOfObject,
  outputSchema: maybe(isObject),
  annotations: maybe(
    objectOf<NonNullable<ListedTool['annotations']>>({
      title: maybe(isText),
      readOnlyHint: maybe(isBoolean),
      destructiveHint: maybe(isBoolean),
      idempotentHint: maybe(isBoolean),
      openWorldHint: maybe(isBoolean),
    }),
  ),
})

const resourceMembers = { ...named, mimeType: maybe(isText), annotations }

const resource = objectOf<ListedResource>({
  ...resourceMembers,
  uri: isText,
  size: maybe(isNumber),
})

const prompt = objectOf<ListedPrompt>({
  ...named,
  arguments: maybe(
    listOf(
      objectOf<NonNullable<ListedPrompt['arguments']>[number]>({
        name: isText,
        title: maybe(isText),
        description: maybe(isText),
        required: maybe(isBoolean),
      }),
    ),
  ),
})

/** The items of each list, by the member of the result that has them. */
interface Listed {
  readonly tools: readonly ListedTool[]
  readonly resources: readonly ListedResource[]
  readonly resourceTemplates: readonly ListedTemplate[]
  readonly prompts: readonly ListedPrompt[]
}

export const listedItems: { readonly [Key in keyof Listed]: ShapeOf<Listed[Key]> } = {
  tools: listOf(listedTool),
  resources: listOf(resource),
  resourceTemplates: listOf(objectOf<ListedTemplate>({ ...resourceMembers, uriTemplate: isText })),
  prompts: listOf(prompt),
}

const inContents = { uri: isText, mimeType: maybe(isText), _meta }
const textContents = objectOf<TextResourceContents>({ ...inContents, text: isText })
const blobContents = objectOf<BlobResourceContents>({ ...inContents, blob: isText })

const contents: ShapeOf<TextResourceContents | BlobResourceContents> = (
  value,
  trace,
): value is TextResourceContents | BlobResourceContents =>
  isJsonObject(value) && value['blob'] !== undefined
    ? blobContents(value, trace)
    : textContents(value, trace)

const media = { data: isText, mimeType: isText, annotations, _meta }

/** A block of a result, of a prompt, or of a tool result in a sampling message. */
export const content: ShapeOf<Content> = eitherOf<Content>(
  'type',
  new Map<unknown, ShapeOf<Content>>([
    ['text', objectOf<TextContent>({ type: oneOf('text'), text: isText, annotations, _meta })],
    ['image', objectOf<ImageContent>({ type: oneOf('image'), ...media })],
    ['audio', objectOf<AudioContent>({ type: oneOf('audio'), ...media })],
    [
      'resource_link',
      objectOf<ResourceLink>({
        ...resourceMembers,
        type: oneOf('resource_link'),
        uri: isText,
        size: maybe(isNumber),
      }),
    ],
    [
      'resource',
      objectOf<EmbeddedResource>({
        type: oneOf('resource'),
        resource: contents,
        annotations,
        _meta,
      }),
    ],
  ]),
)

export const callResult: ShapeOf<CallResult> = objectOf<CallResult>({
  content: listOf(content),
  structuredContent: anything,
  isError: maybe(isBoolean),
  _meta,
})

export const readResult: ShapeOf<ReadResult> = objectOf<ReadResult>({
  contents: listOf(contents),
  ttlMs: maybe(isNumber),
  cacheScope: maybe(oneOf('public', 'private')),
  _meta,
})

export const promptResult: ShapeOf<PromptResult> = objectOf<PromptResult>({
  description: maybe(isText),
  messages: listOf(objectOf<PromptMessage>({ role, content })),
  _meta,
})

export const completionResult: ShapeOf<CompletionResult> = objectOf<CompletionResult>({
  completion: objectOf<CompletionResult['completion']>({
    values: listOf(isText),
    total: maybe(isNumber),
    hasMore: maybe(isBoolean),
  }),
  _meta,
})

export const discoverResult: ShapeOf<DiscoverResult> = objectOf<DiscoverResult>({
  supportedVersions: listOf(isText),
  capabilities: isObject,
  instructions: maybe(isText),
  _meta,
})
