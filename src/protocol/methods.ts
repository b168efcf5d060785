import { toVisibility } from '../calls/visibility.ts'
import type { Registry } from '../registry/registry.ts'
import { createAnnouncer, type Announce } from '../state/announcer.ts'
import { findHubNamespace } from '../state/hub-namespace.ts'
import { listKinds } from '../state/listener.ts'
import { callMethods } from './call-methods.ts'
import { createCompletionMethods } from './completion.ts'
import { createDiscover, type DiscoverSettings } from './discover.ts'
import { createListen } from './listen.ts'
import type { MethodSettings } from './method-settings.ts'
import { createPromptMethods } from './prompts.ts'
import type { Method, Methods } from './protocol.ts'
import { createResourceMethods } from './resources.ts'
import { createToolMethods } from './tools.ts'

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
    ...announceWith(methods, createAnnouncer(digest), settings),
  ])
}

/** Lets the first call of an isolate announce what was deployed, besides its work. */
function announceWith(
  methods: Methods,
  announce: Announce,
  { openState }: MethodSettings,
): [string, Method][] {
  return [...methods]
    .filter(([name]) => callMethods.includes(name))
    .map(([name, method]) => {
      const announcing: Method = (message, exchange, envelope) => {
        const told = announce(() =>
          findHubNamespace(exchange.exports) === null ? null : openState(exchange).hub(),
        )
        if (told !== null) exchange.waitUntil(told)
        return method(message, exchange, envelope)
      }
      return [name, announcing]
    })
}
