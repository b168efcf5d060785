import { toText, type Callee } from './workers-cache-key.ts'
import { judge } from './workers-cache-policy.ts'
import {
  hasCondition,
  toEntry,
  toFillRequest,
  toKeptResponse,
  toRenewedHeaders,
  type CacheStatus,
} from './workers-cache-reply.ts'
import { isVariantFor, type Entry, type WorkersCacheStore } from './workers-cache-store.ts'

/** One `fetch` on its way to an entrypoint. */
export interface Call {
  readonly callee: Callee
  readonly key: string
  readonly request: Request
  run(request: Request): Promise<Response>
}

export interface Answer {
  readonly status: CacheStatus
  readonly response: Response
  /** What is kept of it, if anything: only that can be given to others who wait. */
  readonly entry?: Entry
}

export interface FlowOptions {
  readonly store: WorkersCacheStore
  readonly now: () => number
  readonly maxBytes: number
  /** Lets a refresh go on when its caller has been answered. */
  readonly waitUntil: (promise: Promise<unknown>) => void
}

/** Answers what may be kept: from the store, from what others already wait for, or from the callee. */
export class WorkersCacheFlow {
  readonly #options: FlowOptions
  /** The runs that are under way, by key: request collapsing. */
  readonly #runs = new Map<string, Promise<Answer>>()

  constructor(options: FlowOptions) {
    this.#options = options
  }

  async answer(call: Call): Promise<Answer> {
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

  /** Runs the callee for everybody who asks for the same in the meantime. */
  async #lead(call: Call, entry: Entry | undefined): Promise<Answer> {
    const run = this.#fill(call, entry)
    this.#runs.set(call.key, run)
    try {
      return await run
    } finally {
      this.#runs.delete(call.key)
    }
  }

  /** Takes what another's run brings; where nothing of that was stored, runs the callee itself. */
  async #follow(call: Call, run: Promise<Answer>, entry: Entry | undefined): Promise<Answer> {
    const shared = await run.catch(() => null)
    if (!shared?.entry) return this.#fill(call, entry)
    // the run may have brought another variant
    if (!isVariantFor(shared.entry, call.request)) return this.answer(call)
    // for the follower the Worker did not run, which is what HIT means
    const status = shared.status === 'STALE' ? 'STALE' : 'HIT'
    return this.#fromEntry(status, shared.entry, call)
  }

  async #fill(call: Call, entry: Entry | undefined): Promise<Answer> {
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

  /** What may still be served although the callee fails, unless it was purged in the meantime. */
  #findForError({ key, request }: Call): Entry | undefined {
    const entry = this.#options.store.find(key, request)
    const isUsable = entry && this.#options.now() < entry.freshUntil + entry.staleIfErrorMs
    return isUsable ? entry : undefined
  }

  /** The callee had nothing new: what is kept stays, with the headers that were sent. */
  #renew(call: Call, entry: Entry, sent: Headers): Answer {
    const now = this.#options.now()
    const renewed = { ...entry, headers: toRenewedHeaders(entry.headers, sent), bornAt: now }
    const verdict = judge(call.request, renewed, now)
    if (verdict.isStored) {
      const kept = toEntry(renewed, entry.body, verdict, call.request, now)
      return this.#fromEntry('REVALIDATED', this.#keep(call, kept), call)
    }
    this.#options.store.drop(call.key, call.request)
    return { status: 'REVALIDATED', response: toKeptResponse(renewed, call.request, now) }
  }

  async #take(call: Call, response: Response, entry: Entry | undefined): Promise<Answer> {
    const now = this.#options.now()
    const verdict = judge(call.request, response, now)
    if (!verdict.isStored) return this.#pass(call, response, entry, verdict.status)
    const body = response.body && (await response.arrayBuffer())
    const copy = new Response(body, response)
    // the page "Debugging" names this status for what is too large
    if ((body?.byteLength ?? 0) > this.#options.maxBytes) {
      return this.#pass(call, copy, entry, 'MISS')
    }
    const kept = this.#keep(call, toEntry(response, body, verdict, call.request, now))
    return { status: entry ? 'EXPIRED' : 'MISS', response: copy, entry: kept }
  }

  /** Hands on what is not stored. Unless it is an error, what was kept is out of date (RFC 9111, 4.3.3). */
  #pass(
    call: Call,
    response: Response,
    entry: Entry | undefined,
    status: 'BYPASS' | 'DYNAMIC' | 'MISS',
  ): Answer {
    if (response.status < 500) this.#options.store.drop(call.key, call.request)
    return { status: entry && status !== 'BYPASS' ? 'EXPIRED' : status, response }
  }

  #keep({ callee, key, request }: Call, entry: Entry): Entry {
    const { entrypoint, props } = callee
    const path = new URL(request.url).pathname
    this.#options.store.put(key, { entrypoint, props: toText(props), path }, entry, request)
    return entry
  }

  #fromEntry(status: CacheStatus, entry: Entry, { request }: Call): Answer {
    return { status, response: toKeptResponse(entry, request, this.#options.now()), entry }
  }
}
