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
export { reply, Reply } from './define/reply.ts'
export { ToolError } from './define/tool-error.ts'
export { audio, embed, image, resourceLink, text } from './define/content.ts'

// the Worker
export { createWorker } from './server.ts'

// types
export type { Duration } from './kit/duration.ts'
export type { Tool, ToolDefinition, ToolHints, Running } from './define/tool.ts'
export type { Registry, ToolEntry } from './registry/registry.ts'
export type { JsonSchema, Schema, StandardSchema } from './schema/standard.ts'
export type { WorkerOptions } from './server.ts'
export type { Annotations, Content, Icon } from './wire/content.ts'
