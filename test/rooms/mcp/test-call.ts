import { env, exports } from 'cloudflare:workers'
import { toOutcomeDirectives } from '../../../src/cache/freshness.ts'
import { Call } from '../../../src/mcp/call.ts'
import { indexEntries } from '../../../src/mcp/entries.ts'
import { createComputeResult } from '../../../src/mcp/compute-from-key.ts'
import { findMethod } from '../../../src/mcp/methods.ts'
import { CancelledCalls } from '../../../src/mcp/legacy/cancelled-calls.ts'
import { Sessions } from '../../../src/mcp/legacy/session.ts'
import type { Settings } from '../../../src/mcp/settings.ts'
import { createWorkerLog } from '../../../src/out/log.ts'
import { createSanitizers } from '../../../src/out/sanitizer.ts'
import type { Caller } from '../../../src/protocol/caller.ts'
import { toRpcError } from '../../../src/protocol/failure.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { Envelope } from '../../../src/protocol/meta.ts'
import type { CacheHints, Outcome } from '../../../src/protocol/outcome.ts'
import { respondInTime } from '../../../src/serve/respond.ts'
import { Announcer } from '../../../src/state/hub.ts'
import { type State, createState } from '../../../src/state/state.ts'
import { type Made, toRegistry } from '../../spec/registry.ts'

/** The parts of a call's state that a test replaces. */
export type StateParts = Partial<Pick<State, 'claims' | 'limits' | 'hub' | 'sealer'>>

/** What a test decides about a Worker. */
export type WorkerChanges = Partial<Omit<Settings, 'entries' | 'openState'>> & {
  readonly state?: StateParts
}

const listHints = { ttlMs: 300_000, cacheScope: 'public' } as const

/** The settings of a Worker that caches nothing, with these modules. */
export function createSettings(
  made: Readonly<Record<string, Made>> = {},
  { state = {}, registry = toRegistry(made), ...changes }: WorkerChanges = {},
): Settings {
  const openState = createState({
    shards: 1,
    creators: [],
    openPurge: () => async () => {},
    checkPurge: () => null,
    toResourceKey: (uri) =>
      indexEntries(registry, undefined, listHints).findResource(uri)?.key ?? uri,
  })
  const settings: Settings = {
    registry,
    entries: indexEntries(registry, changes.page, listHints),
    serverInfo: { name: 'test', version: '1' },
    serverMeta: '"server":"test"',
    instructions: null,
    endpoint: '/mcp',
    versions: ['2026-07-28'],
    legacy: true,
    sessions: new Sessions('test'),
    cancelledCalls: new CancelledCalls(),
    origins: [],
    documents: true,
    guard: null,
    requestLimit: null,
    limits: { windows: new Map(), whenUnreachable: undefined },
    audit: null,
    maxResultBytes: 100_000,
    page: undefined,
    listHints,
    staleListsMs: 0,
    discoverHints: listHints,
    store: null,
    compute: createComputeResult(() => settings),
    listenersPerCaller: 64,
    announcer: createSilentAnnouncer(),
    openState: (site) => replaceParts(openState(site), state),
    openLog: createWorkerLog,
    openSanitizer: createSanitizers({ vars: Object.keys(env), secrets: [], public: [] }),
    ...changes,
  }
  return settings
}

/** An announcer that has announced already, so that a call reaches no hub of its own accord. */
function createSilentAnnouncer(): Announcer {
  const announcer = new Announcer('test')
  Object.defineProperty(announcer, 'isDone', { value: true })
  return announcer
}

function replaceParts(state: State, parts: StateParts): State {
  for (const [key, value] of Object.entries(parts)) Object.defineProperty(state, key, { value })
  return state
}

/** What a test decides about a request and its client. */
export interface CallChanges {
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the bindings of the Worker that the tests run in. */
  readonly env?: object
  readonly exports?: unknown
  readonly caller?: Caller
  readonly callerDigest?: string
  readonly envelope?: Partial<Envelope>
  /** Aborts when the client goes. */
  readonly signal?: AbortSignal
  /** The client takes a stream in place of a JSON reply. */
  readonly streams?: boolean
  readonly waitUntil?: (work: Promise<unknown>) => void
}

/** A call of a client that stays and takes no stream, except for what the test changes. */
export function createCall(
  settings: Settings = createSettings(),
  method = 'tools/call',
  params: JsonObject = {},
  changes: CallChanges = {},
): Call {
  const { headers = {}, signal, streams = false } = changes
  const request = new Request('https://mcp.example.com/mcp', {
    method: 'POST',
    headers,
    ...(signal !== undefined && { signal }),
  })
  const context = {
    exports: changes.exports ?? exports,
    waitUntil: changes.waitUntil ?? (() => {}),
  }
  const call = new Call(settings, Object.assign({}, env, changes.env), context, request)
  call.id = 1
  call.method = method
  call.params = params
  call.envelope = { clientCapabilities: {}, ...changes.envelope }
  call.accepted = { reply: 'application/json', streams, allowsStream: streams }
  call.caller = changes.caller ?? null
  call.callerDigest = changes.callerDigest ?? null
  return call
}

/** Sends a request past the transport and its envelope, straight to its method. */
export async function answer(call: Call): Promise<Outcome> {
  const method = findMethod(call)
  if (method === null) throw new Error(`There is no method ${call.method}.`)
  return method(call)
}

/** The text of the whole reply, as it leaves the Worker. */
export async function replyTo(call: Call): Promise<string> {
  return (await respondInTime(call, answer(call))).text()
}

/** The body of a result or an error, and what the HTTP layer is told about caching. */
export interface Asked {
  readonly result?: JsonObject
  readonly cache?: CacheHints
  readonly error?: JsonObject
}

/** Sends one request to its method, and reads the result or error. */
export async function ask(
  settings: Settings,
  method: string,
  params: JsonObject = {},
  changes: CallChanges = {},
): Promise<Asked> {
  const outcome = await answer(createCall(settings, method, params, changes))
  if (outcome.kind === 'failure') {
    const { code, message, data } = toRpcError(outcome.failure)
    return { error: { code, message, ...(data !== undefined && { data }) } }
  }
  if (outcome.kind !== 'result') throw new Error(`${method} was not answered with a result`)
  const { members, hints } = outcome
  const printed = hints === undefined ? '' : `,${toOutcomeDirectives(outcome)?.members ?? ''}`
  return {
    result: JSON.parse(`{${members}${printed}}`),
    ...(hints !== undefined && { cache: hints }),
  }
}

/** The members of a result, or of a result that asks for input. */
export function membersOf(outcome: Outcome): ReturnType<typeof JSON.parse> {
  if (!('members' in outcome)) throw new Error(`the call ended as ${JSON.stringify(outcome)}`)
  return JSON.parse(`{${outcome.members}}`)
}

/** Everything that was logged, the errors beside the lines included. */
export function toLogText(calls: readonly (readonly unknown[])[]): string {
  return calls.flat().map(toText).join('\n')
}

function toText(part: unknown): string {
  if (!(part instanceof Error)) return String(part)
  const { stack = part.message, cause } = part
  return cause === undefined ? stack : `${stack}\nCaused by: ${toText(cause)}`
}
