import type { Notify, Purge } from '../define/contexts.ts'
import { type HandleKind, findCreator } from '../define/handle-kind.ts'
import { type HandlesNamespace, readHandlesNamespace } from '../objects/handles-rpc.ts'
import type { WorkerLog } from '../out/log.ts'
import { type Sealer, createSealer } from '../util/seal.ts'
import { type BridgeSession, findBridgeNamespace } from './bridge.ts'
import { type RunClaims, createRunClaims } from './claims.ts'
import type { HandlesContext } from './handle-client.ts'
import { type HubClient, createHub, findHubNamespace } from './hub.ts'
import { type Limits, createLimits } from './limits.ts'
import { createNotify } from './notify.ts'
import { createStateKeySource } from './state-key.ts'

export interface StateSettings {
  readonly shards: number
  /** Names of tools: an error about a handle names the one that creates a new one. */
  readonly creators: readonly string[]
  /** Opens the purge of the caches, which `notify` does before it notifies. */
  readonly openPurge: (exports: unknown) => Purge
  /** Finds a mistake in what an author purges, as a sentence. */
  readonly checkPurge: (what: Parameters<Purge>[0]) => string | null
  /** Converts a URI to the one that caches and subscriptions know it by. */
  readonly toResourceKey: (uri: string) => string
}

/** Where state is opened: in a request, or in a handler of the Worker that no client called. */
export interface StateContext {
  readonly env: object
  /** `ctx.exports`, where the Durable Object classes are. */
  readonly exports: unknown
  readonly callerDigest: string | null
  /** Read when something is logged. */
  readonly log: WorkerLog
}

export type OpenState = (site: StateContext) => State

export function createState(settings: StateSettings): OpenState {
  const shared: SharedState = {
    ...settings,
    readKeys: createStateKeySource(),
    toSealer: createSealerCache(),
    creatorOf: (kind) => findCreator(kind, settings.creators),
  }
  return (site) => new State(shared, site)
}

interface SharedState extends StateSettings {
  readonly readKeys: ReturnType<typeof createStateKeySource>
  readonly toSealer: (secrets: readonly string[], purpose: SealPurpose) => Sealer
  readonly creatorOf: (kind: HandleKind) => string | null
}

/**
 * The state that a request can reach and that outlives it. There is one for each request, so that it
 * is cheap to construct: each part is created when it is read, and no object is called until it is used.
 */
export class State {
  readonly #shared: SharedState
  readonly #site: StateContext
  #handles: HandlesContext | null = null

  constructor(shared: SharedState, site: StateContext) {
    this.#shared = shared
    this.#site = site
  }

  get handles(): HandlesContext {
    this.#handles ??= {
      namespace: () => this.#namespace(),
      caller: this.#site.callerDigest,
      creatorOf: this.#shared.creatorOf,
      log: () => this.#site.log,
    }
    return this.#handles
  }

  get claims(): RunClaims {
    return createRunClaims(() => this.#namespace())
  }

  /** @throws {TypeError} where this Worker cannot store state. */
  get limits(): Limits {
    return createLimits(this.#namespace())
  }

  get notify(): Notify {
    return createNotify({
      hub: () => this.hub(),
      purge: (what) => this.#purgeUnchecked(what),
      toResourceKey: this.#shared.toResourceKey,
      log: () => this.#site.log,
    })
  }

  get purge(): Purge {
    return async (what) => {
      const mistake = this.#shared.checkPurge(what)
      if (mistake !== null) throw new TypeError(`Nothing was purged. ${mistake}`)
      await this.#purgeUnchecked(what)
    }
  }

  /** Whether this Worker has a hub. Without one it has no notifications. */
  get hasHub(): boolean {
    return findHubNamespace(this.#site.exports) !== null
  }

  /** Whether this Worker can seal: it has the secret `STATE_KEY`, or a hub that stores a key. */
  get hasKey(): boolean {
    return typeof Reflect.get(this.#site.env, 'STATE_KEY') === 'string' || this.hasHub
  }

  /** @throws {TypeError} where this Worker has no hub. */
  hub(): HubClient {
    const namespace = findHubNamespace(this.#site.exports)
    if (namespace !== null) return createHub({ namespace, shards: this.#shared.shards })
    throw new TypeError(
      'This Worker can neither notify nor store a key: it has no Durable Object class `Hub`. Export the ' +
        'class beside the Worker (`export const { Hub } = worker`) and declare it in wrangler.toml: ' +
        '[[migrations]] with new_sqlite_classes = ["Hub"]. For the key alone, set the secret STATE_KEY.',
    )
  }

  /** Whether this Worker has objects for sessions, which subscriptions and their end need. */
  get hasBridge(): boolean {
    return findBridgeNamespace(this.#site.exports) !== null
  }

  /** Returns the object of a session; `null` without one, or where this Worker has no class for it. */
  bridgeSession(session: { readonly nonce: string } | null): BridgeSession | null {
    if (session === null) return null
    return findBridgeNamespace(this.#site.exports)?.getByName(session.nonce) ?? null
  }

  /** Seals what travels through the client. */
  async sealer(purpose: SealPurpose = 'request-state'): Promise<Sealer> {
    const { readKeys, toSealer } = this.#shared
    const secrets = await readKeys(this.#site.env, { stateKey: () => this.hub().stateKey() })
    return toSealer(secrets, purpose)
  }

  // read when it is needed: workerd creates a loopback for each export at the first look
  #namespace(): HandlesNamespace {
    return readHandlesNamespace(this.#site.exports)
  }

  #purgeUnchecked(what: Parameters<Purge>[0]): Promise<void> {
    const purge = this.#shared.openPurge(this.#site.exports)
    if (what === 'everything' || what.resources === undefined) return purge(what)
    return purge({ ...what, resources: what.resources.map(this.#shared.toResourceKey) })
  }
}

/** What sealed text is for: the state between two rounds, a session, or a request of the server. */
type SealPurpose = 'request-state' | 'session' | 'question'

/** Keeps the sealers, and with them the derived keys, for as long as the secrets are the same. */
function createSealerCache(): SharedState['toSealer'] {
  let kept: readonly string[] = []
  const sealers = new Map<SealPurpose, Sealer>()
  return (secrets, purpose) => {
    if (kept !== secrets) sealers.clear()
    kept = secrets
    const sealer = sealers.get(purpose) ?? createSealer(secrets, purpose)
    sealers.set(purpose, sealer)
    return sealer
  }
}
