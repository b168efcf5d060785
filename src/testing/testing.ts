/**
 * Tests of tools and of whole Workers.
 *
 * @example
 * const client = connect(worker, { caller: 'ada', answers: { confirm: { pay: true } } })
 * const { value } = await client.tools.checkout({ basket })
 *
 * @module
 */

export { callTool } from './call-tool.ts'
export { connect } from './connect.ts'
export { expectNoSideEffects } from './side-effects.ts'

// what a test catches
export { ToolError } from '../define/reply.ts'
export { ClientError } from '../client/client-error.ts'

export type { CallToolOptions } from './call-tool.ts'
export type { ConnectOptions, ConnectServerOptions, ConnectUrlOptions } from './connect.ts'
export type { WorkerTestClient } from './connect.ts'
export type { FakeCaller } from './fake-caller.ts'
export type { LogLine } from './captured-log.ts'
export type { AnswersFor, ToolResult } from './tool-result.ts'
export type { ResourceContents, TestCallOptions, TestClient } from './typed-client.ts'
export type { Change, Watch } from './watch.ts'
