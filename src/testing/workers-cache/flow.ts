import { toText, type Callee } from './key.ts'
import { judge } from './policy.ts'
import {
  hasCondition,
  toEntry,
  toFillRequest,
  toEntryResponse,
  toRenewedHeaders,
  type CacheStatus,
} from './reply.ts'
import { isVariantFor, type StoredEntry, type WorkersCacheStore } from './store.ts'

/** One `fetch` on its way to an entrypoint. */
export interface CachedFetch {
  readonly callee: Callee
  readonly key: string
  readonly request: Request
  run(request: Request): Promise<Response>
}

export interface CachedAnswer {
  readonly status: CacheStatus
  readonly response: Response
  /** What was stored of it, if anything: only that can be sent to others that wait. */
  readonly entry?: StoredEntry
}

export interface FlowOptions {
  readonly store: WorkersCacheStore
  readonly now: () => number
  readonly maxBytes: number
  /** Lets a refresh continue after its caller has got a response. */
  readonly waitUntil: (promise: Promise<unknown>) => void
}

/** Answers what may be cached: from the store, from a run that others wait for, or from the callee. */
export class WorkersCacheFlow {
  readonly #options: FlowOptions
  /** The current runs, by key: request collapsing. */
  readonly #runs = new Map<string, Promise<CachedAnswer>>()

  constructor(options: FlowOptions) {
    this.#options = options
  }

  async answer(call: CachedFetch): Promise<CachedAnswer> {
    const entry = this.#options.store.find(call.key, call.request)
    const now = this.#options.now()
    if (entry && now < entry.freshUntil) return this.#fromEntry('HIT', entry, call)
    if (entry && now < entry.freshUntil + entry.staleWhileRevalidateMs) {
      if (!this.#runs.has(call.key)) this.#options.waitUntil(this.#lead(call, entry))
      return this.#fromEntry('UPDATING', entry, call)
    }
    const run = this.#runs.get(call.key)
    return run ? this.#follow(call, run, entry) : this.#lead(call, entry)
  }

  /** Runs the callee for all requests with the same key in the meantime. */
  async #lead(call: CachedFetch, entry: StoredEntry | undefined): Promise<CachedAnswer> {
    const run = this.#fill(call, entry)
    this.#runs.set(call.key, run)
    try {
      return await run
    } finally {
      this.#runs.delete(call.key)
    }
  }

  /** Waits for the run of another request; if nothing of that was stored, runs the callee itself. */
  async #follow(
    call: CachedFetch,
    run: Promise<CachedAnswer>,
    entry: StoredEntry | undefined,
  ): Promise<CachedAnswer> {
    const shared = await run.catch(() => null)
    if (!shared?.entry) return this.#fill(call, entry)
    // the run may have stored another variant
    if (!isVariantFor(shared.entry, call.request)) return this.answer(call)
    // the Worker did not run for the follower, which is the meaning of HIT
    const status = shared.status === 'STALE' ? 'STALE' : 'HIT'
    return this.#fromEntry(status, shared.entry, call)
  }

  async #fill(call: CachedFetch, entry: StoredEntry | undefined): Promise<CachedAnswer> {
    const request = toFillRequest(call.request, entry)
    try {
      const response = await call.run(request)
      const stale = response.status >= 500 ? this.#findForError(call) : undefined
      if (stale) return this.#fromEntry('STALE', stale, call)
      const isUnchanged = response.status === 304 && hasCondition(request)
      if (entry && isUnchanged) return this.#renew(call, entry, response.headers)
      return await this.#take(call, response, entry)
    } catch (error) {
      const stale = this.#findForError(call)
      if (stale) return this.#fromEntry('STALE', stale, call)
      throw error
    }
  }

  /** Finds what may be served when the callee fails, unless it was purged in the meantime. */
  #findForError({ key, request }: CachedFetch): StoredEntry | undefined {
    const entry = this.#options.store.find(key, request)
    const isUsable = entry && this.#options.now() < entry.freshUntil + entry.staleIfErrorMs
    return isUsable ? entry : undefined
  }

  /** Renews an entry after a 304, with the headers of that. */
  #renew(call: CachedFetch, entry: StoredEntry, sent: Headers): CachedAnswer {
    const now = this.#options.now()
    const renewed = { ...entry, headers: toRenewedHeaders(entry.headers, sent), bornAt: now }
    const verdict = judge(call.request, renewed, now)
    if (verdict.isStored) {
      const stored = toEntry(renewed, entry.body, verdict, call.request, now)
      return this.#fromEntry('REVALIDATED', this.#put(call, stored), call)
    }
    this.#options.store.drop(call.key, call.request)
    return { status: 'REVALIDATED', response: toEntryResponse(renewed, call.request, now) }
  }

  async #take(
    call: CachedFetch,
    response: Response,
    entry: StoredEntry | undefined,
  ): Promise<CachedAnswer> {
    const now = this.#options.now()
    const verdict = judge(call.request, response, now)
    if (!verdict.isStored) return this.#pass(call, response, entry, verdict.status)
    const body = response.body && (await response.arrayBuffer())
    const copy = new Response(body, response)
    // the page "Debugging" has this status for responses that are too large
    if ((body?.byteLength ?? 0) > this.#options.maxBytes) {
      return this.#pass(call, copy, entry, 'MISS')
    }
    const stored = this.#put(call, toEntry(response, body, verdict, call.request, now))
    return { status: entry ? 'EXPIRED' : 'MISS', response: copy, entry: stored }
  }

  /** Passes on what is not stored. Unless it is an error, the entry is out of date (RFC 9111, 4.3.3). */
  #pass(
    call: CachedFetch,
    response: Response,
    entry: StoredEntry | undefined,
    status: 'BYPASS' | 'DYNAMIC' | 'MISS',
  ): CachedAnswer {
    if (response.status < 500) this.#options.store.drop(call.key, call.request)
    return { status: entry && status !== 'BYPASS' ? 'EXPIRED' : status, response }
  }

  #put({ callee, key, request }: CachedFetch, entry: StoredEntry): StoredEntry {
    const { entrypoint, props } = callee
    const path = new URL(request.url).pathname
    this.#options.store.put(key, { entrypoint, props: toText(props), path }, entry, request)
    return entry
  }

  #fromEntry(status: CacheStatus, entry: StoredEntry, { request }: CachedFetch): CachedAnswer {
    return { status, response: toEntryResponse(entry, request, this.#options.now()), entry }
  }
}
