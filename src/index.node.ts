/*
 * What Node gets in place of index.ts, so that unit tests can import tools there: the same names, without
 * the Worker, which needs modules that only workerd has.
 */

export { defineTool } from './define/tool.ts'
export { defineResource } from './define/resource.ts'
export { definePrompt } from './define/prompt.ts'
export { defineHandle } from './define/handle.ts'
export { optional } from './define/handles.ts'
export { reply, Reply, ToolError } from './define/reply.ts'
export { audio, embed, image, resourceLink, text } from './define/reply.ts'
export { form, link } from './define/elicitation.ts'
export { carry } from './define/question.ts'
export { sample, roots } from './define/sampling.ts'
export { webClients } from './serve/origin.ts'

function refuseWorker(): never {
  throw new TypeError(
    'createWorker needs workerd, and this is Node. Test a whole Worker with startServer() of ' +
      'helve/testing/node, or in vitest with the plugin @cloudflare/vitest-plugin.',
  )
}

export { refuseWorker as createWorker }
