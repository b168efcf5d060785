import { DurableObject } from 'cloudflare:workers'
import type { HandleEntry, HandleKind } from '../define/handle-kind.ts'
import type { Claim, ClaimTimes } from '../state/claims.ts'
import { HandleIndex, type Indexed } from './handle-index.ts'
import {
  type Addressed,
  type Answer,
  type HandlesObject,
  readHandlesNamespace,
  toRefusal,
} from './handles-rpc.ts'
import { StoredClaim } from './stored-claim.ts'
import { HandleExpiry, StoredHandle, isExpired, toExpiry } from './stored-handle.ts'
import {
  type BucketAnswer,
  type BucketRule,
  type LeaseAnswer,
  type LeaseRule,
  StoredLimit,
} from './stored-limit.ts'

/** The Durable Object class that a Worker exports as `Handles`. */
export type HandlesClass = new (
  ctx: DurableObjectState,
  env: Cloudflare.Env,
) => DurableObject & HandlesObject

/**
 * Makes the one class for handles of all kinds, for each caller's index and for claims, so that a
 * new kind never touches wrangler.toml. An object is what it was first asked to be. Nothing is
 * written when it starts: looking at an id that holds nothing must not leave storage behind.
 */
export function createHandlesClass(entries: readonly HandleEntry[]): HandlesClass {
  const kinds = createKinds(entries)

  return class Handles extends DurableObject implements HandlesObject {
    // TypeScript's private would still be callable over RPC
    readonly #handle: StoredHandle
    readonly #expiry: HandleExpiry
    readonly #index: HandleIndex
    readonly #claim: StoredClaim
    readonly #limit: StoredLimit

    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env)
      this.#handle = new StoredHandle(ctx.storage)
      this.#expiry = new HandleExpiry(ctx.storage, env)
      this.#claim = new StoredClaim(ctx.storage)
      this.#limit = new StoredLimit(ctx.storage)
      this.#index = new HandleIndex(ctx.storage, async (objectId) => {
        const objects = readHandlesNamespace(ctx.exports)
        return objects.get(objects.idFromString(objectId)).peek()
      })
    }

    create({ kind, caller }: Addressed, args: readonly unknown[]): Promise<Answer> {
      return attempt(async () => this.#handle.create(await kinds.load(kind), caller, args))
    }

    use(
      { kind: name, caller }: Addressed,
      verb: string,
      args: readonly unknown[],
    ): Promise<Answer> {
      return attempt(async () => {
        const kind = await kinds.load(name)
        const record = this.#handle.record()
        // a caller's own begins anew in the same object, so what was there must be cleared first
        if (kind.scope === 'caller' && isExpired(record)) await this.#expiry.run(kind, record, 0)
        return this.#handle.use(kind, caller, verb, args)
      })
    }

    read({ kind, caller }: Addressed): Promise<Answer> {
      return attempt(async () => this.#handle.read(await kinds.load(kind), caller))
    }

    end({ kind, caller }: Addressed): Promise<Answer> {
      return attempt(async () => this.#handle.end(await kinds.load(kind), caller))
    }

    /** When the handle expires, for its caller's index, which may not use it. */
    async peek(): Promise<number | null> {
      const record = this.#handle.record()
      return record === null || isExpired(record) ? null : toExpiry(record)
    }

    admit(kind: string, objectId: string, aliveUntil: number, limit: number): Promise<boolean> {
      return this.#index.admit(kind, objectId, aliveUntil, limit)
    }

    async leave(kind: string, objectId: string): Promise<void> {
      this.#index.leave(kind, objectId)
    }

    list(kind: string): Promise<readonly Indexed[]> {
      return this.#index.list(kind)
    }

    claim(times: ClaimTimes): Promise<Claim> {
      return this.#claim.claim(times)
    }

    look(): Promise<Claim | null> {
      return this.#claim.look()
    }

    async finish(result: string): Promise<void> {
      this.#claim.finish(result)
    }

    takeToken(rule: BucketRule): Promise<BucketAnswer> {
      return this.#limit.takeToken(rule)
    }

    takeLease(id: string, rule: LeaseRule): Promise<LeaseAnswer> {
      return this.#limit.takeLease(id, rule)
    }

    endLease(id: string): Promise<void> {
      return this.#limit.endLease(id)
    }

    /** The broom. It may come late, twice or for nothing: each part looks at what is stored. */
    override async alarm(invocation?: AlarmInvocationInfo): Promise<void> {
      const record = this.#handle.record()
      if (isExpired(record)) {
        const kind = await kinds.find(record.kind)
        await this.#expiry.run(kind, record, invocation?.retryCount ?? 0)
      } else if (record !== null) await this.ctx.storage.setAlarm(toExpiry(record))
      await this.#claim.alarm()
      await this.#index.alarm()
      await this.#limit.alarm()
    }
  }
}

/** Keeps what a kind's module throws while it loads from crossing RPC as an error. */
async function attempt(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    return toRefusal(error)
  }
}

/** The kinds of this Worker, each loaded when an object first needs it. */
interface Kinds {
  /** @throws {TypeError} where this version of the Worker has no such kind. */
  readonly load: (name: string) => Promise<HandleKind>
  readonly find: (name: string) => Promise<HandleKind | null>
}

function createKinds(entries: readonly HandleEntry[]): Kinds {
  // a map: the names come over RPC and out of storage
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  async function find(name: string): Promise<HandleKind | null> {
    const entry = byName.get(name)
    return entry === undefined ? null : (await entry.load()).default
  }
  return {
    find,
    async load(name) {
      const kind = await find(name)
      if (kind === null) throw new TypeError(`This version of the Worker has no handle "${name}".`)
      return kind
    },
  }
}
