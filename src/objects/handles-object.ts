import { DurableObject } from 'cloudflare:workers'
import type { HandleEntry, HandleKind } from '../define/handle-kind.ts'
import type { OpenLog, WorkerLog } from '../out/log.ts'
import { HandleExpiry, isExpired, setExpiryAlarm, toExpiry } from './handle-expiry.ts'
import { HandleIndex, type IndexedHandle } from './handle-index.ts'
import {
  type HandleAddress,
  type HandleReply,
  type HandlesObject,
  readHandlesNamespace,
  toHandleRefusal,
} from './handles-rpc.ts'
import { type RunClaimStatus, type RunClaimTimes, StoredRunClaim } from './stored-claim.ts'
import { StoredHandle } from './stored-handle.ts'
import {
  type BucketReply,
  type BucketRule,
  type LeaseReply,
  type LeaseRule,
  StoredLimit,
} from './stored-limit.ts'

export type HandlesClass = new (
  ctx: DurableObjectState,
  env: Cloudflare.Env,
) => DurableObject & HandlesObject

/**
 * Creates the one class for handles of all kinds, for each caller's index, for claims and for limits,
 * so that a new kind does not change wrangler.toml. The first call to an object decides what it is.
 * Nothing is written when it starts: looking at an id that holds nothing must not create storage.
 */
export function createHandlesClass(
  entries: readonly HandleEntry[],
  openLog: OpenLog,
): HandlesClass {
  const kinds = createKinds(entries)

  return class Handles extends DurableObject implements HandlesObject {
    // TypeScript's private would still be callable over RPC
    readonly #log: () => WorkerLog
    readonly #handle: StoredHandle
    readonly #expiry: HandleExpiry
    readonly #index: HandleIndex
    readonly #claim: StoredRunClaim
    readonly #limit: StoredLimit

    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env)
      // opened where something is logged: it reads all of `env`
      this.#log = () => openLog(env)
      this.#handle = new StoredHandle(ctx.storage, this.#log)
      this.#expiry = new HandleExpiry(ctx.storage, env, this.#log)
      this.#claim = new StoredRunClaim(ctx.storage)
      this.#limit = new StoredLimit(ctx.storage)
      this.#index = new HandleIndex(ctx.storage, async (objectId) => {
        const objects = readHandlesNamespace(ctx.exports)
        return objects.get(objects.idFromString(objectId)).peek()
      })
    }

    create({ kind, caller }: HandleAddress, args: readonly unknown[]): Promise<HandleReply> {
      return this.#attempt(async () => this.#handle.create(await kinds.load(kind), caller, args))
    }

    use(
      { kind: name, caller }: HandleAddress,
      verb: string,
      args: readonly unknown[],
    ): Promise<HandleReply> {
      return this.#attempt(async () => {
        const kind = await kinds.load(name)
        const record = this.#handle.record()
        // a caller's own handle begins again in the same object, so the old one is deleted first
        if (kind.scope === 'caller' && isExpired(record)) await this.#expiry.run(kind, record, 0)
        return this.#handle.use(kind, caller, verb, args)
      })
    }

    read({ kind, caller }: HandleAddress): Promise<HandleReply> {
      return this.#attempt(async () => this.#handle.read(await kinds.load(kind), caller))
    }

    end({ kind, caller }: HandleAddress): Promise<HandleReply> {
      return this.#attempt(async () => this.#handle.end(await kinds.load(kind), caller))
    }

    /** Returns when the handle expires, for its caller's index: looking at it is not a use. */
    async peek(): Promise<number | null> {
      const record = this.#handle.record()
      return record === null || isExpired(record) ? null : toExpiry(record)
    }

    addToIndex(
      kind: string,
      objectId: string,
      aliveUntil: number,
      limit: number,
    ): Promise<boolean> {
      return this.#index.add(kind, objectId, aliveUntil, limit)
    }

    async removeFromIndex(kind: string, objectId: string): Promise<void> {
      this.#index.remove(kind, objectId)
    }

    listIndex(kind: string): Promise<readonly IndexedHandle[]> {
      return this.#index.list(kind)
    }

    claim(times: RunClaimTimes): Promise<RunClaimStatus> {
      return this.#claim.claim(times)
    }

    look(): Promise<RunClaimStatus | null> {
      return this.#claim.look()
    }

    async finish(result: string): Promise<void> {
      this.#claim.finish(result)
    }

    takeToken(rule: BucketRule): Promise<BucketReply> {
      return this.#limit.takeToken(rule)
    }

    takeLease(id: string, rule: LeaseRule): Promise<LeaseReply> {
      return this.#limit.takeLease(id, rule)
    }

    endLease(id: string): Promise<void> {
      return this.#limit.endLease(id)
    }

    /** Deletes what is over. It may fire late, twice or needlessly: each part looks at its times. */
    override async alarm(invocation?: AlarmInvocationInfo): Promise<void> {
      const record = this.#handle.record()
      if (isExpired(record)) {
        const kind = await this.#findKind(record.kind)
        await this.#expiry.run(kind, record, invocation?.retryCount ?? 0)
      } else if (record !== null) await setExpiryAlarm(this.ctx.storage, record)
      await this.#claim.alarm()
      await this.#index.alarm()
      await this.#limit.alarm()
    }

    /** The runtime logs what an alarm throws and masks nothing: the error itself is in the Worker's log. */
    async #findKind(name: string): Promise<HandleKind | null> {
      let errorId: string
      try {
        return await kinds.find(name)
      } catch (error) {
        errorId = this.#log().error(`the module of the handle "${name}"`, error)
      }
      throw new Error(
        `The module of the handle "${name}" failed to load, so the handle did not expire yet. ` +
          `Error id: ${errorId}.`,
      )
    }

    /** A kind's module may throw while it loads, and errors do not cross RPC. */
    async #attempt(work: () => Promise<HandleReply>): Promise<HandleReply> {
      try {
        return await work()
      } catch (error) {
        return toHandleRefusal(error, this.#log)
      }
    }
  }
}

/** The kinds of this Worker, each loaded when an object first needs it. */
interface HandleKinds {
  /** @throws {TypeError} where this version of the Worker has no such kind. */
  readonly load: (name: string) => Promise<HandleKind>
  readonly find: (name: string) => Promise<HandleKind | null>
}

function createKinds(entries: readonly HandleEntry[]): HandleKinds {
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
