import { createResourceLookup } from '../registry/resource-lookup.ts'
import type { Registry } from '../registry/registry.ts'
import type { ListKind } from '../state/listener.ts'
import { createCompletionMethods } from './completion.ts'
import { createDiscover, type DiscoverSettings } from './discover.ts'
import { createListen } from './listen.ts'
import type { MethodSettings } from './method-settings.ts'
import { createPromptMethods } from './prompts.ts'
import type { Methods } from './protocol.ts'
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
  const lookup = createResourceLookup(resources)
  const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources']
  const listen = createListen({
    hub: (exchange) => settings.openState(exchange).hub(),
    lists: kinds.filter((kind) => methods.has(`${kind}/list`)),
    canSee: (uri) => lookup(uri) !== null,
    rightsOf: () => ({ scopes: [] }),
    digest,
    maxAge: maxListenMs,
  })
  return new Map([
    ['server/discover', createDiscover(methods, settings.discover)],
    ['subscriptions/listen', listen],
    ...methods,
  ])
}
