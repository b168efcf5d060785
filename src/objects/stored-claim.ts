import { isJsonObject } from '../protocol/json.ts'
import type { Claim, ClaimTimes } from '../state/claims.ts'

const key = 'claim'
const parts = 'result:'

/** How long a claim waits for the result of a run before it says that it is running. */
const maxWaitMs = 30_000

/**
 * How long a claim outlives the state that carries its nonce. The state is checked by another clock,
 * and questions may be worked out between that check and the claim: were the claim gone by then, the
 * same work would run twice.
 */
const graceMs = 5 * 60_000

interface Run {
  readonly outcome: PromiseWithResolvers<Claim>
  readonly timer: ReturnType<typeof setTimeout>
}

/** One claim inside its object. */
export class StoredClaim {
  readonly #storage: DurableObjectStorage
  #run: Run | null = null

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  async claim({ runMs, expiresAt }: ClaimTimes): Promise<Claim> {
    const found = this.#find()
    if (found !== null) return found
    // not one await since the look: two that come at once must not both find it free
    this.#storage.kv.put(key, { expiresAt: expiresAt + graceMs })
    void this.#storage.setAlarm(expiresAt + graceMs)
    this.#run = this.#watch(runMs)
    return { kind: 'yours' }
  }

  /** What a claim would find, without making one; `null` where nobody has made one yet. */
  async look(): Promise<Claim | null> {
    return this.#find()
  }

  #find(): Claim | Promise<Claim> | null {
    const result = readParts(this.#storage.kv, parts)
    if (result !== null) return { kind: 'done', result }
    if (this.#storage.kv.get(key) === undefined) return null
    // begun, and not before the eyes of this instance: the run, or what we knew of it, was cut off
    return this.#run === null ? { kind: 'unknown' } : waitFor(this.#run.outcome.promise)
  }

  finish(result: string): void {
    if (this.#storage.kv.get(key) === undefined) return
    if (readParts(this.#storage.kv, parts) !== null) return
    for (const [index, part] of toParts(result).entries()) {
      this.#storage.kv.put(`${parts}${String(index).padStart(3, '0')}`, part)
    }
    this.#settle({ kind: 'done', result })
  }

  /** Deletes a claim that nobody can come for any more. */
  async alarm(): Promise<void> {
    const stored: unknown = this.#storage.kv.get(key)
    if (!isJsonObject(stored) || typeof stored['expiresAt'] !== 'number') return
    if (Date.now() < stored['expiresAt']) await this.#storage.setAlarm(stored['expiresAt'])
    else await this.#storage.deleteAll()
  }

  /**
   * Watches over a run for as long as it may take. The timer also keeps this object in memory, where
   * Cloudflare would otherwise put it to sleep after ten idle seconds and forget the run.
   */
  #watch(runMs: number): Run {
    const timer = setTimeout(() => this.#settle({ kind: 'unknown' }), runMs)
    return { outcome: Promise.withResolvers<Claim>(), timer }
  }

  #settle(claim: Claim): void {
    if (this.#run === null) return
    clearTimeout(this.#run.timer)
    this.#run.outcome.resolve(claim)
    this.#run = null
  }
}

async function waitFor(outcome: Promise<Claim>): Promise<Claim> {
  const late = Promise.withResolvers<Claim>()
  const timer = setTimeout(() => late.resolve({ kind: 'running' }), maxWaitMs)
  try {
    return await Promise.race([outcome, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A stored value may have 2 MB with its key; what is longer is kept in parts of this size. */
const partBytes = 1024 * 1024

/** Cuts text into parts that can be stored. Empty text has one empty part. */
function toParts(text: string): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const count = Math.max(1, Math.ceil(bytes.length / partBytes))
  // sliced, not viewed: storing a view stores the whole buffer under it
  return Array.from({ length: count }, (_, part) =>
    bytes.slice(part * partBytes, (part + 1) * partBytes),
  )
}

/** The text of the parts under a prefix, in the order of their keys; `null` where there are none. */
function readParts(kv: SyncKvStorage, prefix: string): string | null {
  const parts = [...kv.list({ prefix })].map(([, part]) => part)
  if (parts.length === 0) return null
  const decoder = new TextDecoder()
  const texts = parts.map((part) =>
    part instanceof Uint8Array ? decoder.decode(part, { stream: true }) : '',
  )
  return texts.join('') + decoder.decode()
}
