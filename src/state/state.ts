import type { Notify, Purge } from '../define/contexts.ts'
import { type HandleKind, findCreator } from '../define/handle-kind.ts'
import { readHandlesNamespace } from '../objects/handles-rpc.ts'
import { type Sealer, createSealer } from '../util/seal.ts'
import { type Claims, createClaims } from './claims.ts'
import type { HandlesContext } from './handle-client.ts'
import { type HubClient, createHub, findHubNamespace } from './hub.ts'
import { type Limits, createLimits } from './limits.ts'
import { createNotify } from './notify.ts'
import { createKeySource } from './state-key.ts'

/** All that a request can reach of what outlives it. Nothing is woken until it is used. */
export interface State {
  readonly handles: HandlesContext
  readonly claims: Claims
  readonly hub: () => HubClient
  readonly notify: Notify
  readonly purge: Purge
  readonly limits: Limits
  /** Seals what travels through the client between two rounds. */
  readonly sealer: () => Promise<Sealer>
}

interface StateSettings {
  /** How many Hub objects share the listeners. */
  readonly shards: number
  /** Names of tools: an error about a handle names the one that creates a new one. */
  readonly creators: readonly string[]
  /** Opens what purges kept answers, which `notify` does before it tells. */
  readonly openPurge: (exports: unknown) => Purge
  /** Finds a slip in what an author purges, as a sentence. */
  readonly checkPurge: (what: Parameters<Purge>[0]) => string | null
}

/** Opens the state for one request, or for a handler that was called by no client. */
export type OpenState = (from: {
  readonly env: object
  readonly exports: unknown
  readonly callerDigest: string | null
}) => State

/** Makes what opens the state for each request. */
export function createState({ shards, creators, openPurge, checkPurge }: StateSettings): OpenState {
  const readKeys = createKeySource()
  const keepSealer = createSealerKeeper()
  const creatorOf = (kind: HandleKind): string | null => findCreator(kind, creators)

  return (from) => {
    // read when they are needed: workerd makes a loopback for each export at the first look
    const namespace = () => readHandlesNamespace(from.exports)
    const hub = () => openHub(from.exports, shards)
    const purge: Purge = (what) => openPurge(from.exports)(what)
    return {
      handles: { namespace, caller: from.callerDigest, creatorOf },
      claims: createClaims(namespace),
      hub,
      notify: createNotify(hub, purge),
      async purge(what) {
        const slip = checkPurge(what)
        if (slip !== null) throw new TypeError(`Nothing was purged. ${slip}`)
        await purge(what)
      },
      limits: createLimits(namespace),
      sealer: async () =>
        keepSealer(await readKeys(from.env, { stateKey: () => hub().stateKey() })),
    }
  }
}

function openHub(exports: unknown, shards: number): HubClient {
  const namespace = findHubNamespace(exports)
  if (namespace !== null) return createHub({ namespace, shards })
  throw new TypeError(
    'This Worker has no Hub object, so that it can neither notify nor keep a key. Export the class ' +
      'beside the Worker (`export const { Hub } = worker`) and name it in wrangler.toml: ' +
      '[[migrations]] with new_sqlite_classes = ["Hub"]. Or set the secret STATE_KEY for the key alone.',
  )
}

/** Keeps the sealer, and with it the derived keys, for as long as the secrets are the same. */
function createSealerKeeper(): (secrets: readonly string[]) => Sealer {
  let kept: { readonly secrets: readonly string[]; readonly sealer: Sealer } | null = null
  return (secrets) => {
    if (kept?.secrets !== secrets) {
      kept = { secrets, sealer: createSealer(secrets, 'request-state') }
    }
    return kept.sealer
  }
}
