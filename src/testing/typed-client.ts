import {
  type Client,
  type InputAnswers,
  type NotificationFilter,
  type PromptResult,
  type ReadResult,
} from '../client/client.ts'
import type { Prompt } from '../define/prompt.ts'
import type { Resource } from '../define/resource.ts'
import type { Tool } from '../define/tool.ts'
import type { LogLine } from './captured-log.ts'
import { type AnswersFor, type ToolResult, toToolResult } from './tool-result.ts'
import { type Watch, watch } from './watch.ts'

/** What each call may have besides its arguments. */
export interface TestCallOptions<Q = unknown> {
  /** The answers to what is asked, by key; those of the client are not used then. */
  readonly answers?: AnswersFor<Q>
  /** Cancels the call. */
  readonly signal?: AbortSignal
}

type SectionOf<Definitions, Name extends string, Any> =
  Definitions extends Readonly<Record<Name, infer Section>>
    ? Section
    : Readonly<Record<string, Any>>

type Given<Arguments> = unknown extends Arguments ? object : Arguments

type ArgumentList<Arguments, Q> = {} extends Arguments
  ? [input?: Given<Arguments>, options?: TestCallOptions<Q>]
  : [input: Arguments, options?: TestCallOptions<Q>]

type ToolCall<T> =
  T extends Tool<infer Arguments, infer Value, infer Q>
    ? (...args: ArgumentList<Arguments, Q>) => Promise<ToolResult<Value>>
    : never

type PromptCall<T> =
  T extends Prompt<infer Arguments, infer Q>
    ? (...args: ArgumentList<Arguments, Q>) => Promise<PromptResult>
    : never

/** A URI of a template: `shop://products/{sku}` is any text that begins with `shop://products/`. */
type UriOf<Uri> = Uri extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${UriOf<After>}`
  : Uri

/** The contents of a resource. */
export interface ResourceContents extends ReadResult {
  /** The texts of all parts, joined by line breaks. */
  readonly text: string
}

/** A client with the tools and prompts of one server as functions. */
export interface TestClient<Definitions = unknown> extends Client {
  /** The tools as functions. A tool that fails throws: see {@link callTool} of `helve/testing`. */
  readonly tools: {
    readonly [Name in keyof SectionOf<Definitions, 'tools', Tool>]: ToolCall<
      SectionOf<Definitions, 'tools', Tool>[Name]
    >
  }
  readonly prompts: {
    readonly [Name in keyof SectionOf<Definitions, 'prompts', Prompt>]: PromptCall<
      SectionOf<Definitions, 'prompts', Prompt>[Name]
    >
  }
  readonly read: (
    uri: UriOf<keyof SectionOf<Definitions, 'resources', Resource>>,
    options?: TestCallOptions,
  ) => Promise<ResourceContents>
  /** Begins to listen to notifications, and resolves when the server has agreed to send them. */
  readonly watch: (filter: NotificationFilter) => Promise<Watch>
}

/** Adds the functions to a client. `lines` is the log of a Worker in this isolate. */
export function createTestClient<Definitions>(
  client: Client,
  answers: InputAnswers | undefined,
  lines: readonly LogLine[],
): TestClient<Definitions>
export function createTestClient(
  client: Client,
  answers: InputAnswers | undefined,
  lines: readonly LogLine[],
): object {
  return {
    ...client,
    tools: createFunctions((name) => (input: object = {}, options: TestCallOptions = {}) => {
      const { signal } = options
      return toToolResult(
        (given) =>
          client.callTool(name, input, { ...given, ...(signal !== undefined && { signal }) }),
        options.answers ?? answers,
        lines,
      )
    }),
    prompts: createFunctions((name) => (input: object = {}, options: TestCallOptions = {}) => {
      const sent = Object.entries(input).map(([key, value]) => [key, String(value)])
      return client.getPrompt(name, Object.fromEntries(sent), options)
    }),
    async read(uri: string, options: TestCallOptions = {}): Promise<ResourceContents> {
      const result = await client.readResource(uri, options)
      const texts = result.contents.flatMap((part) => ('text' in part ? [part.text] : []))
      return { ...result, text: texts.join('\n') }
    },
    watch: (filter: NotificationFilter) => watch(client.listen, filter),
  }
}

/** An object with a function under each name: which names there are, the server knows. */
function createFunctions(create: (name: string) => unknown): object {
  return new Proxy(Object.create(null), {
    get: (_, name) => (typeof name === 'string' ? create(name) : undefined),
  })
}
