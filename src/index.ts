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

// types
export type { Duration } from './util/duration.ts'
export type { Tool, ToolDefinition, ToolHints } from './define/tool.ts'
export type { Contents } from './define/resource.ts'
export type { Resource, ResourceDefinition } from './define/resource.ts'
export type { ResourcePage, ResourceRow } from './define/resource.ts'
export type { Messages, Prompt, PromptDefinition } from './define/prompt.ts'
export type { Completer, Suggestions } from './define/prompt.ts'
export type { Handle } from './define/handle.ts'
export type { Handles, ListedHandle } from './define/handles.ts'
export type { Answers, Question, Questions } from './define/question.ts'
export type { Asking, Caching, Log, Progress, Running } from './define/contexts.ts'
export type { Notify } from './define/contexts.ts'
export type { Purge, Purged } from './define/contexts.ts'
export type { PromptEntry, ResourceEntry, ToolEntry } from './define/registry.ts'
export type { Registry } from './define/registry.ts'
export type { JsonSchema, Schema, StandardSchema } from './schema/standard-schema.ts'
export type { Worker } from './server.ts'
export type { WorkerOptions } from './options.ts'
export type { AuthContext, AuthLog, AuthResult, Authenticator } from './define/authenticator.ts'
export type { ScopeHierarchy } from './auth/tokens/scopes.ts'
export type { Caller } from './protocol/caller.ts'
export type { Annotations, Content, Icon } from './protocol/content.ts'
