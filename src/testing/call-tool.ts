import { custom } from '../auth/custom.ts'
import { optionalAuth } from '../auth/optional-auth.ts'
import { createClient } from '../client/client.ts'
import type { Registry, ToolEntry } from '../define/registry.ts'
import type { Tool } from '../define/tool.ts'
import { findSubstitute, serve } from '../serve/fetch.ts'
import { createRoute } from '../serve/routes.ts'
import { createWorkerParts } from '../worker-settings.ts'
import type { FakeCaller } from './fake-caller.ts'
import { serveInProcess } from './in-process.ts'
import { addByteMethods } from './node-bytes.ts'
import { findPlatform } from './platform.ts'
import { type AnswersFor, type ToolResult, toToolResult } from './tool-result.ts'
import { withoutObjects } from './without-objects.ts'

/** How a tool is called in a unit test. */
export type CallToolOptions<Arguments, Q> = CallToolSite<Q> &
  ({} extends Arguments ? { readonly input?: Arguments } : { readonly input: Arguments })

interface CallToolSite<Q> {
  /** The bindings that the tool reads. In a Worker's test they are added to those of the Worker. */
  readonly env?: Partial<Cloudflare.Env> & object
  /** Who calls: a name, or more of it such as `{ subject: 'ada', scopes: ['shop:read'] }`. */
  readonly caller?: FakeCaller | null
  /** The answers to what the tool asks, by the keys of its questions. */
  readonly answers?: AnswersFor<Q>
  /** Stops the call, as a client that disconnects. */
  readonly signal?: AbortSignal
}

/**
 * Calls one tool as a Worker with only this tool would: the input is checked, questions are asked and
 * answered, `scopes` and `visible` are checked against the caller, and the output is checked. There are no
 * rate limits and no cache. It runs in Node too, if the tool needs no handles and imports nothing of
 * `cloudflare:`.
 *
 * @throws {ToolError} that the model would read, also for an invalid input.
 * @throws {ClientError} for a call that is refused, such as one without the scopes.
 * @throws what else the tool throws, and a TypeError for a value that does not match `output`.
 */
export function callTool<Arguments, Value, Q>(
  tool: Tool<Arguments, Value, Q>,
  ...options: {} extends Arguments
    ? [options?: CallToolOptions<Arguments, Q>]
    : [options: CallToolOptions<Arguments, Q>]
): Promise<ToolResult<Value>>
export async function callTool(
  tool: Tool,
  options: CallToolSite<unknown> & { readonly input?: unknown } = {},
): Promise<ToolResult<unknown>> {
  const { input = {}, caller, answers, signal } = options
  addByteMethods()
  const platform = await findPlatform()
  const env: Cloudflare.Env = Object.assign({}, platform?.env, options.env)
  const registry = toRegistry(tool)
  const { name } = registry.entry
  const parts = createWorkerParts(
    { name: 'test', version: '1', registry, auth, audit: false, cache: { store: false } },
    env,
  )
  const exports = platform?.exports
  const settings = withoutObjects(parts.settings, exports)
  const served = { settings, route: createRoute(settings) }
  const fetch = (request: Request, ...rest: readonly [Cloudflare.Env, ExecutionContext]) =>
    serve(findSubstitute(rest[1]) ?? served, request, ...rest)
  const server = serveInProcess(fetch, settings, {
    caller,
    isQuiet: true,
    openPlatform: async () => ({ env, exports }),
  })
  const client = createClient({ url: 'http://localhost/mcp', fetch: server.fetch })
  const result = await toToolResult(
    (given) =>
      client.callTool(name, Object(input), { ...given, ...(signal !== undefined && { signal }) }),
    // without answers each question is an error that names it
    answers ?? {},
    server.lines,
  )
  await server.settled()
  return result
}

/** Nobody has credentials. A `caller` replaces it. */
const auth = optionalAuth(custom(() => null))

function toRegistry(tool: Tool): Registry & { readonly entry: ToolEntry } {
  const { limit: _, parallel: __, ...definition } = tool.definition
  const { name = 'tool', scopes = [], conceal = false, hints = {} } = definition
  const called: Tool = { ...tool, definition }
  const entry: ToolEntry = {
    name,
    listed: JSON.stringify({ name, inputSchema: { type: 'object' } }),
    headers: [],
    readOnly: hints.readOnly === true,
    cache: null,
    scopes,
    conceal,
    conditional: definition.visible !== undefined,
    load: async () => ({ default: called }),
  }
  return {
    digest: '',
    code: '',
    bindings: { vars: [], limits: {} },
    tools: [entry],
    resources: [],
    prompts: [],
    handles: [],
    entry,
  }
}
