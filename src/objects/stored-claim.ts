import { isJsonObject } from '../protocol/json.ts'

/** What is known of a run that a request has claimed. */
export type FoundRun =
  /** It has been run; this is what `finish` was given. */
  | { readonly kind: 'done'; readonly result: string }
  /** It is still being run. */
  | { readonly kind: 'running' }
  /** It began and its outcome is not known: it must not be run again. */
  | { readonly kind: 'unknown' }

/** `yours`: no other request has claimed the run. Run, then `finish`. */
export type RunClaimStatus = FoundRun | { readonly kind: 'yours' }

export interface RunClaimTimes {
  /** Milliseconds that a run may take. After them, an unfinished run counts as cut off. */
  readonly runMs: number
  /** When the sealed state that carries the nonce expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

const key = 'claim'
const partPrefix = 'result:'

/** How long `look` waits for the result of a run before it returns `running`. */
const maxWaitMs = 30_000

/**
 * How long a claim outlives the state that carries its nonce. The state is checked by another clock,
 * and `ask` may take time between that check and the claim: if the claim were deleted by then, the
 * same work would run twice.
 */
const graceMs = 5 * 60_000

interface WatchedRun {
  readonly outcome: PromiseWithResolvers<FoundRun>
  readonly timer: ReturnType<typeof setTimeout>
}

export class StoredRunClaim {
  readonly #storage: DurableObjectStorage
  #run: WatchedRun | null = null

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Claims the run. It does not wait, so that a request which claims it cannot be cancelled meanwhile. */
  async claim({ runMs, expiresAt }: RunClaimTimes): Promise<RunClaimStatus> {
    const found = this.#find()
    if (found !== null) return found
    // no await since `#find`: two requests at once must not both find it free
    this.#storage.kv.put(key, { expiresAt: expiresAt + graceMs })
    void this.#storage.setAlarm(expiresAt + graceMs)
    this.#run = this.#watch(runMs)
    return { kind: 'yours' }
  }

  /** Waits for the result of a run that was claimed; `null` where there is no claim yet. */
  async look(): Promise<FoundRun | null> {
    return this.#run === null ? this.#find() : waitFor(this.#run.outcome.promise)
  }

  #find(): FoundRun | null {
    const result = readParts(this.#storage.kv, partPrefix)
    if (result !== null) return { kind: 'done', result }
    if (this.#storage.kv.get(key) === undefined) return null
    // another instance saw it begin: the run, or the memory of it, was cut off
    return { kind: this.#run === null ? 'unknown' : 'running' }
  }

  finish(result: string): void {
    if (this.#storage.kv.get(key) === undefined) return
    if (readParts(this.#storage.kv, partPrefix) !== null) return
    for (const [index, part] of toParts(result).entries()) {
      this.#storage.kv.put(`${partPrefix}${String(index).padStart(3, '0')}`, part)
    }
    this.#settle({ kind: 'done', result })
  }

  async alarm(): Promise<void> {
    const stored: unknown = this.#storage.kv.get(key)
    if (!isJsonObject(stored) || typeof stored['expiresAt'] !== 'number') return
    if (Date.now() < stored['expiresAt']) await this.#storage.setAlarm(stored['expiresAt'])
    else await this.#storage.deleteAll()
  }

  /**
   * Remembers a run for as long as it may take. The timer also keeps this object in memory: Cloudflare
   * would otherwise evict it after ten idle seconds, and the run would be forgotten.
   */
  #watch(runMs: number): WatchedRun {
    const timer = setTimeout(() => this.#settle({ kind: 'unknown' }), runMs)
    return { outcome: Promise.withResolvers<FoundRun>(), timer }
  }

  #settle(status: FoundRun): void {
    if (this.#run === null) return
    clearTimeout(this.#run.timer)
    this.#run.outcome.resolve(status)
    this.#run = null
  }
}

async function waitFor(outcome: Promise<FoundRun>): Promise<FoundRun> {
  const timeout = Promise.withResolvers<FoundRun>()
  const timer = setTimeout(() => timeout.resolve({ kind: 'running' }), maxWaitMs)
  try {
    return await Promise.race([outcome, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A stored value may have 2 MB with its key; longer text is stored in parts of this size. */
const partBytes = 1024 * 1024

/** Cuts text into parts that can be stored. Empty text is one empty part. */
function toParts(text: string): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const count = Math.max(1, Math.ceil(bytes.length / partBytes))
  // sliced, not viewed: storing a view stores the whole buffer under it
  return Array.from({ length: count }, (_, part) =>
    bytes.slice(part * partBytes, (part + 1) * partBytes),
  )
}

/** Joins the parts under a prefix, in the order of their keys; `null` where there are none. */
function readParts(kv: SyncKvStorage, prefix: string): string | null {
  const parts = [...kv.list({ prefix })].map(([, part]) => part)
  if (parts.length === 0) return null
  const decoder = new TextDecoder()
  const texts = parts.map((part) =>
    part instanceof Uint8Array ? decoder.decode(part, { stream: true }) : '',
  )
  return texts.join('') + decoder.decode()
}
