import type { Keep } from '../cache/read-through.ts'
import type { Registry } from '../define/registry.ts'
import { listKinds } from '../objects/hub-listener.ts'
import type { Audit } from '../out/audit.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { RequestMessage } from '../protocol/message.ts'
import { type Envelope, supportedVersions } from '../protocol/meta.ts'
import { type CacheHints, type Outcome, fail, toMembers } from '../protocol/outcome.ts'
import { Announcer, findHubNamespace } from '../state/hub.ts'
import type { CallSettings } from './checked-call.ts'
import { createCompletionMethods } from './completions.ts'
import { readEnvelope } from './envelope.ts'
import { createPromptMethods } from './prompts.ts'
import type { ResourceLookup } from './resource-lookup.ts'
import { createResourceMethods } from './resources.ts'
import { createListen } from './subscriptions.ts'
import { createToolMethods } from './tools.ts'
import { toVisibility } from './visibility.ts'

/** Milliseconds after which a client has to listen anew: no stream outlives a forgotten client. */
const maxListenMs = 3_600_000

/** Makes all methods of a server. What it has nothing of, it has no methods for. */
export function createMethods(
  registry: Registry,
  settings: MethodSettings & { readonly discover: DiscoverSettings },
): Methods {
  const { tools, resources, prompts, digest } = registry
  const methods: Methods = new Map([
    ...createToolMethods(tools, settings),
    ...createResourceMethods(resources, settings),
    ...createPromptMethods(prompts, settings),
    ...createCompletionMethods(prompts, resources),
  ])
  const listen = createListen({
    hub: (exchange) => settings.openState(exchange).hub(),
    lists: listKinds.filter((kind) => methods.has(`${kind}/list`)),
    async canSee(uri, exchange) {
      const found = settings.lookup(uri)
      return found !== null && (await toVisibility(found.entry, exchange)) === 'visible'
    },
    rightsOf: ({ caller }) => ({
      scopes: caller?.scopes ?? [],
      ...(caller?.expires !== undefined && { expires: caller.expires }),
    }),
    digest,
    maxAge: maxListenMs,
  })
  return new Map([
    ['server/discover', createDiscover(methods, settings.discover)],
    ['subscriptions/listen', listen],
    ...methods,
    ...announceWith(methods, new Announcer(digest), settings),
  ])
}

/** Lets the first call of an isolate announce what was deployed, besides its work. */
function announceWith(
  methods: Methods,
  announcer: Announcer,
  { openState }: MethodSettings,
): [string, Method][] {
  return [...methods]
    .filter(([name]) => callMethods.includes(name))
    .map(([name, method]) => {
      const announcing: Method = (message, exchange, envelope) => {
        if (!announcer.isDone) {
          exchange.waitUntil(announcer.announce({ state: openState(exchange) }))
        }
        return method(message, exchange, envelope)
      }
      return [name, announcing]
    })
}

/** Answers one method. Its envelope is sound; the rest of the parameters are still the client's. */
export type Method = (
  message: RequestMessage,
  exchange: Exchange,
  envelope: Envelope,
) => Outcome | Promise<Outcome>

/** The methods that this server has, by name: a `Map`, as clients choose what is looked up. */
export type Methods = ReadonlyMap<string, Method>

/** Answers a request: envelope first, then the method. */
type Answer = (message: RequestMessage, exchange: Exchange) => Outcome | Promise<Outcome>

/** Makes the function that answers every request, and writes a line about each unless told not to. */
export function createProtocol(methods: Methods, audit: Audit | null = null): Answer {
  const answer = createAnswer(methods)
  if (audit === null) return answer
  return (message, exchange) => audit(message, exchange, () => answer(message, exchange))
}

/** What a retry gets depends on what no cache knows of (server/utilities/caching, "Cache Key"). */
async function withoutHints(answering: Outcome | Promise<Outcome>): Promise<Outcome> {
  const outcome = await answering
  if (outcome.kind !== 'result' || outcome.cache === undefined) return outcome
  return { ...outcome, cache: { ttlMs: 0, cacheScope: 'private' } }
}

function createAnswer(methods: Methods): Answer {
  return (message, exchange) => {
    const read = readEnvelope(message, exchange.headers)
    if (!read.ok) return fail(read.failure)
    const method = methods.get(message.method)
    if (method === undefined) return fail({ kind: 'unknown-method', method: message.method })
    const outcome = method(message, exchange, read.envelope)
    return isRetry(message.params) ? withoutHints(outcome) : outcome
  }
}

/** What an author's code answers. The rest is answered from the registry and wakes nothing. */
const callMethods: readonly string[] = ['tools/call', 'prompts/get', 'resources/read']

/** Whether a request brings answers: its result depends on what is no part of any cache key. */
export function isRetry({ inputResponses, requestState }: JsonObject): boolean {
  return inputResponses !== undefined || requestState !== undefined
}

/** What it takes to make answers that may be kept. */
export interface FillSettings extends CallSettings {
  /** Finds the resource of a URI: made once, as it compiles every template. */
  readonly lookup: ResourceLookup
  /** Entries a page; lists come whole unless this is set. */
  readonly page?: number
  /** The hints of lists that are the same for everybody. */
  readonly lists: CacheHints
  /** Milliseconds for which an old list will do while a new one is made. */
  readonly staleListsMs: number
}

/** What the methods take from the server's configuration. */
export interface MethodSettings extends FillSettings {
  /** Gives answers that may be kept. */
  readonly keep: Keep
}

/** Adds the caching hints to a result, and leaves a failure as it is (server/utilities/caching). */
export function toCacheable(outcome: Outcome, cache: CacheHints): Outcome {
  return outcome.kind === 'result' ? { ...outcome, cache } : outcome
}

interface DiscoverSettings {
  /** For the model: how to use this server well. */
  readonly instructions?: string
  readonly ttlMs: number
}

/** Makes `server/discover`: versions, capabilities and instructions (server/discover). */
function createDiscover(methods: Methods, settings: DiscoverSettings): Method {
  const { instructions, ttlMs } = settings
  const cache = { ttlMs, cacheScope: 'public' } as const
  const print = (hasHub: boolean): Outcome => {
    const capabilities = toCapabilities(methods, hasHub)
    const spoken = instructions === undefined ? {} : { instructions }
    const members = toMembers({ supportedVersions, capabilities, ...spoken })
    return { kind: 'result', members, cache }
  }
  // a deployed Worker has a hub or has none: either answer is printed once
  const [without, withHub] = [print(false), print(true)]
  return (_, { exports }) => (findHubNamespace(exports) === null ? without : withHub)
}

/**
 * What exists, and nothing more: a capability is a promise. Changes are told through the hub, so
 * that without one nobody may wait for them; any of an author's functions may log.
 */
function toCapabilities(methods: Methods, hasHub: boolean): object {
  const listChanged = hasHub ? { listChanged: true } : {}
  const resources = hasHub ? { subscribe: true, listChanged: true } : {}
  return {
    ...(methods.has('tools/list') && { tools: listChanged }),
    ...(methods.has('prompts/list') && { prompts: listChanged }),
    ...(methods.has('resources/list') && { resources }),
    ...(methods.has('completion/complete') && { completions: {} }),
    ...(callMethods.some((method) => methods.has(method)) && { logging: {} }),
  }
}
