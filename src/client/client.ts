/**
 * A small client of MCP servers, for Node, Workers and browsers.
 *
 * @example
 * const client = createClient({ url: 'https://shop.example.com/mcp' })
 * const { structuredContent } = await client.callTool('convert_price', { amount: 10, to: 'USD' })
 *
 * @module
 */

import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { ClientError } from './client-error.ts'
import { untilAborted } from './connection.ts'
import { type NotificationFilter, type Notified, readNotified } from './notifications.ts'
import {
  type CallOptions,
  type ClientOptions,
  type RequestOptions,
  readClientOptions,
  unsendable,
} from './options.ts'
import { type MirroredParams, readMirroredParams, setParamHeaders } from './param-headers.ts'
import {
  type CallResult,
  type CompletionResult,
  type DiscoverResult,
  type ListedPrompt,
  type ListedResource,
  type ListedTemplate,
  type ListedTool,
  type PromptResult,
  type ReadResult,
  callResult,
  completionResult,
  discoverResult,
  listedItems,
  promptResult,
  readResult,
} from './results.ts'
import { Sender } from './sender.ts'

export { ClientError, type ClientErrorReason } from './client-error.ts'
export type { Fetch } from './connection.ts'
export type { Content, Implementation } from '../protocol/content.ts'
export type { CreateMessageParams, FormSchema } from '../protocol/input-request.ts'
export type { JsonObject } from '../protocol/json.ts'
export type { LogLevel } from '../protocol/meta.ts'
export type { LogMessage, NotificationFilter, Notified, ProgressUpdate } from './notifications.ts'
export type { CallOptions, ClientOptions, RequestOptions } from './options.ts'
export type { AskedInput, InputAnswer, InputAnswers, RootFolder } from './questions.ts'
export type {
  CallResult,
  CompletionResult,
  DiscoverResult,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ListedTool,
  PromptResult,
  ReadResult,
} from './results.ts'

/** What to complete: an argument of a prompt, or a variable of a resource template. */
export type CompletionTarget = { readonly prompt: string } | { readonly template: string }

/**
 * A client of one MCP server, which speaks revision 2026-07-28. Each method throws a {@link ClientError}
 * if there is no result, and the reason of its `signal` if that aborts.
 */
export interface Client {
  /** Asks which server this is, what it has and which revisions it speaks (server/discover). */
  readonly discover: (options?: RequestOptions) => Promise<DiscoverResult>
  /** Lists all tools that can be called: not those with invalid `x-mcp-header` annotations. */
  readonly listTools: (options?: RequestOptions) => Promise<readonly ListedTool[]>
  readonly listResources: (options?: RequestOptions) => Promise<readonly ListedResource[]>
  readonly listResourceTemplates: (options?: RequestOptions) => Promise<readonly ListedTemplate[]>
  readonly listPrompts: (options?: RequestOptions) => Promise<readonly ListedPrompt[]>
  /** Calls a tool, and answers what it asks. A tool that fails returns a result with `isError`. */
  readonly callTool: (name: string, args?: object, options?: CallOptions) => Promise<CallResult>
  readonly readResource: (uri: string, options?: CallOptions) => Promise<ReadResult>
  readonly getPrompt: (
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ) => Promise<PromptResult>
  /** Suggests values for an argument that begins with a text (server/utilities/completion). */
  readonly complete: (
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    options?: RequestOptions & { readonly context?: Readonly<Record<string, string>> },
  ) => Promise<CompletionResult['completion']>
  /**
   * Listens to notifications (basic/patterns/subscriptions). It ends when the server ends the subscription; a
   * connection that breaks is a {@link ClientError}, after which one may listen again. Leaving the loop
   * closes the connection.
   */
  readonly listen: (
    filter: NotificationFilter,
    options?: Pick<RequestOptions, 'signal'>,
  ) => AsyncGenerator<Notified, void, undefined>
}

/** Creates a client. Nothing is sent before the first call of a method. */
export function createClient(options: ClientOptions): Client {
  const sender = new Sender(readClientOptions(options))
  /** The parameters that each tool repeats in headers: a call needs the list of tools. */
  let mirrored: Promise<ReadonlyMap<string, MirroredParams>> | null = null

  async function listTools(given?: RequestOptions): Promise<readonly ListedTool[]> {
    const all = await sender.list('tools/list', 'tools', listedItems.tools, given)
    const usable = new Map<ListedTool, MirroredParams>()
    for (const tool of all) {
      const params = readMirroredParams(tool.inputSchema)
      if (params !== null) usable.set(tool, params)
      else options.onWarning?.(toWarning(tool))
    }
    mirrored = Promise.resolve(new Map(Array.from(usable, ([{ name }, params]) => [name, params])))
    return [...usable.keys()]
  }

  /** Lists the tools once for all calls, also those that begin meanwhile. */
  async function findMirrored(name: string): Promise<MirroredParams> {
    mirrored ??= listTools().then(
      () => mirrored ?? new Map<string, MirroredParams>(),
      (error: unknown) => {
        mirrored = null
        throw error
      },
    )
    return (await mirrored).get(name) ?? []
  }

  async function callTool(
    name: string,
    args: object = {},
    given: CallOptions = {},
  ): Promise<CallResult> {
    const sent = toSent(args)
    const call = async (): Promise<CallResult> => {
      const mirroredParams = await untilAborted(findMirrored(name), given.signal)
      const setParams = (headers: Headers): void => setParamHeaders(headers, mirroredParams, sent)
      const params = { name, arguments: sent }
      return sender.settle({ method: 'tools/call', params, setParams }, callResult, given)
    }
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== headerMismatch) throw error
      // the tool has changed since the list was read
      mirrored = null
      return call()
    }
  }

  const { resources, resourceTemplates, prompts } = listedItems
  return {
    discover: (given) =>
      sender.request({ method: 'server/discover', params: {} }, discoverResult, given),
    listTools,
    listResources: (given) => sender.list('resources/list', 'resources', resources, given),
    listResourceTemplates: (given) =>
      sender.list('resources/templates/list', 'resourceTemplates', resourceTemplates, given),
    listPrompts: (given) => sender.list('prompts/list', 'prompts', prompts, given),
    callTool,
    readResource: (uri, given) =>
      sender.settle({ method: 'resources/read', params: { uri } }, readResult, given),
    getPrompt: (name, args = {}, given) =>
      sender.settle(
        { method: 'prompts/get', params: { name, arguments: args } },
        promptResult,
        given,
      ),
    async complete(target, argument, { context, ...given } = {}) {
      const ref =
        'prompt' in target
          ? { type: 'ref/prompt', name: target.prompt }
          : { type: 'ref/resource', uri: target.template }
      const inContext = context === undefined ? {} : { context: { arguments: context } }
      const params = { ref, argument, ...inContext }
      const prepared = { method: 'completion/complete', params }
      return (await sender.request(prepared, completionResult, given)).completion
    },
    listen(notifications, { signal = new AbortController().signal } = {}) {
      const id = sender.createId()
      const prepared = { method: 'subscriptions/listen', params: { notifications } }
      return readNotified(sender.open(id, prepared, {}, signal), id)
    },
  }
}

const headerMismatch = -32020

function toWarning({ name }: ListedTool): string {
  return (
    `The tool \`${name}\` is left out: an \`x-mcp-header\` of its input schema is not a header name, is there twice, ` +
    'or is not on a string, integer or boolean that only properties lead to.'
  )
}

/** Returns what JSON has of the arguments, which is what the headers must repeat. */
function toSent(args: object): JsonObject {
  const sent: unknown = JSON.parse(JSON.stringify(args))
  if (isJsonObject(sent)) return sent
  throw unsendable('The arguments of a tool must be an object.')
}
