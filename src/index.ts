/**
 * Helve: MCP servers at the edge.
 *
 * @example
 * // tools/hello.ts
 * import { defineTool } from 'helve'
 * import * as z from 'zod'
 *
 * export default defineTool({
 *   description: 'Says hello.',
 *   input: z.object({ who: z.string() }),
 *   run: ({ input }) => `Hello, ${input.who}`,
 * })
 *
 * @module
 */

// what a module under tools/ is made with
export { defineTool } from './define/tool.ts'
export { defineResource } from './define/resource.ts'
export { definePrompt } from './define/prompt.ts'
export { defineHandle } from './define/handle.ts'
export { optional } from './define/handles.ts'

// what they return and throw
export { reply, Reply } from './define/reply.ts'
export { ToolError } from './define/reply.ts'
export { audio, embed, image, resourceLink, text } from './define/reply.ts'

// what they ask
export { form } from './define/elicitation.ts'
export { link } from './define/elicitation.ts'
export { carry } from './define/question.ts'
export { sample } from './define/sampling.ts'
export { roots } from './define/sampling.ts'

// the Worker
export { createWorker } from './server.ts'
export { webClients } from './serve/origin.ts'

// tools
export type { ExactLimit } from './define/tool.ts'
export type { LimitName, Tool, ToolDefinition, ToolHints } from './define/tool.ts'
export type { AskContext, CachedRunContext, Progress, RunContext } from './define/contexts.ts'

// resources
export type { Contents, ContentsPart } from './define/resource.ts'
export type { ListContext, ReadContext, WithAnswers } from './define/contexts.ts'
export type { Resource, ResourceDefinition } from './define/resource.ts'
export type { ResourcePage, ResourceRow } from './define/resource.ts'

// prompts and completion
export type { CompleteContext, Completer, Completers, Suggestions } from './define/prompt.ts'
export type { Messages, Prompt, PromptContext } from './define/prompt.ts'
export type { PromptDefinition, RoleMessage } from './define/prompt.ts'

// handles
export type { HandleDefinition } from './define/handle.ts'
export type { ExpiredHandle, HandleScope } from './define/handle-kind.ts'
export type { SqlVerbs, Verbs } from './define/handle.ts'
export type { HandleReader, HandleStub, IdOf, StateOf } from './define/handles.ts'
export type { Handle } from './define/handle.ts'
export type { Handles, ListedHandle } from './define/handles.ts'
export type { OpenedHandles, OptionalHandle, ReadableHandles, Uses } from './define/handles.ts'

// questions
export type { AskOptions } from './define/elicitation.ts'
export type { FormAnswer } from './define/elicitation.ts'
export type { LinkAnswer } from './define/elicitation.ts'
export type { AnswerOf, Answers, AskedQuestion, CarriedQuestion } from './define/question.ts'
export type { AskingCapability, Question, Questions } from './define/question.ts'
export type { Root } from './define/sampling.ts'
export type { Sampled } from './define/sampling.ts'
export type {
  CreateMessageParams,
  SamplingContent,
  SamplingMessage,
  SamplingTool,
  ToolResultContent,
  ToolUseContent,
} from './protocol/input-request.ts'

// what definitions share
export type { Notify, NotifyOptions } from './define/contexts.ts'
export type { Purge, Purged } from './define/contexts.ts'
export type { Abilities, CallContext, Log, QuestionContext } from './define/contexts.ts'
export type { WithCaller } from './define/contexts.ts'
export type { Trace } from './define/contexts.ts'
export type { VisibilityOptions, VisibleContext } from './define/contexts.ts'
export type { Duration } from './util/duration.ts'
export type { InputOf, JsonSchema, OutputOf, Schema } from './schema/standard-schema.ts'
export type { StandardSchema } from './schema/standard-schema.ts'
export type { Caller } from './protocol/caller.ts'
export type { Json, JsonObject } from './protocol/json.ts'
export type { LogLevel } from './protocol/meta.ts'

// content
export type { Annotations, AudioContent, Content, EmbeddedResource } from './protocol/content.ts'
export type { BlobResourceContents, TextResourceContents } from './protocol/content.ts'
export type { Icon, ImageContent, ResourceLink, TextContent } from './protocol/content.ts'

// the Worker
export type {
  AuthContext,
  AuthLog,
  AuthResult,
  Authenticator,
  LocalIssuer,
  Refusals,
  RequestContext,
} from './define/authenticator.ts'
export type { ScopeHierarchy } from './auth/tokens/scopes.ts'
export type { AuditSettings } from './out/audit.ts'
export type { PromptEntry, ResourceEntry, ToolEntry } from './define/registry.ts'
export type { Registry } from './define/registry.ts'
export type { Worker, WorkerFetch } from './server.ts'
export type { Implementation } from './protocol/content.ts'
export type { WorkerOptions } from './options.ts'
