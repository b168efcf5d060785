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
export { optional } from './define/uses.ts'

// what they return and throw
export { reply, Reply } from './define/reply.ts'
export { ToolError } from './define/tool-error.ts'
export { audio, embed, image, resourceLink, text } from './define/content.ts'

// what they ask
export { form } from './define/form.ts'
export { link } from './define/link.ts'
export { carry } from './define/carry.ts'
export { sample } from './define/sample.ts'
export { roots } from './define/roots.ts'

// the Worker
export { createWorker } from './server.ts'
export { webClients } from './transport/web-clients.ts'

// types
export type { Duration } from './kit/duration.ts'
export type { Tool, ToolDefinition, ToolHints } from './define/tool.ts'
export type { Contents } from './define/contents.ts'
export type { Resource, ResourceDefinition } from './define/resource.ts'
export type { ResourcePage, ResourceRow } from './define/resource-page.ts'
export type { Messages, Prompt, PromptDefinition } from './define/prompt.ts'
export type { Completer, Suggestions } from './define/completer.ts'
export type { Handle } from './define/handle.ts'
export type { Handles, ListedHandle } from './define/handles.ts'
export type { Answers, Question, Questions } from './define/question.ts'
export type { Asking, Caching, Log, Progress, Running } from './define/running.ts'
export type { Notify } from './define/notify.ts'
export type { Purge, Purged } from './define/purge.ts'
export type { PromptEntry, ResourceEntry, ToolEntry } from './registry/entries.ts'
export type { Registry } from './registry/registry.ts'
export type { JsonSchema, Schema, StandardSchema } from './schema/standard.ts'
export type { Worker } from './server.ts'
export type { WorkerOptions } from './worker-options.ts'
export type { Caller } from './wire/caller.ts'
export type { Annotations, Content, Icon } from './wire/content.ts'
