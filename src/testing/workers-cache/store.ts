/** A stored response, with the times from its headers in milliseconds. */
export interface StoredEntry {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  // not a stream: in workerd only the request that made a stream can read it
  readonly body: ArrayBuffer | null
  /** The request headers named in `Vary`, with their values. */
  readonly varied: ReadonlyMap<string, string | null>
  readonly bornAt: number
  readonly freshUntil: number
  readonly staleWhileRevalidateMs: number
  readonly staleIfErrorMs: number
}

/** What a purge selects an entry by. */
export interface EntryPlace {
  readonly entrypoint: string
  /** The props of the invocation, as text. */
  readonly props: string
  readonly path: string
}

interface Slot {
  readonly place: EntryPlace
  /** One for each combination of the headers in `Vary`, the latest first. */
  readonly variants: readonly StoredEntry[]
}

/** Which entries a purge may reach. */
export interface PurgeScope {
  readonly entrypoint: string
  readonly props?: string
}

export class WorkersCacheStore {
  readonly #slots = new Map<string, Slot>()

  find(key: string, request: Request): StoredEntry | undefined {
    return this.#slots.get(key)?.variants.find((entry) => isVariantFor(entry, request))
  }

  put(key: string, place: EntryPlace, entry: StoredEntry, request: Request): void {
    this.#slots.set(key, { place, variants: [entry, ...this.#others(key, request)] })
  }

  drop(key: string, request: Request): void {
    const slot = this.#slots.get(key)
    if (slot) this.#slots.set(key, { ...slot, variants: this.#others(key, request) })
  }

  purge(scope: PurgeScope, options: CachePurgeOptions): void {
    for (const key of this.#select(scope, options)) this.#slots.delete(key)
  }

  /** Makes fresh entries stale, which begins their stale windows; never extends one. */
  invalidate(scope: PurgeScope, options: CachePurgeOptions, now: number): void {
    const age = (entry: StoredEntry) => ({ ...entry, freshUntil: Math.min(entry.freshUntil, now) })
    for (const key of this.#select(scope, options)) {
      const slot = this.#slots.get(key)
      if (slot) this.#slots.set(key, { ...slot, variants: slot.variants.map(age) })
    }
  }

  clear(): void {
    this.#slots.clear()
  }

  #others(key: string, request: Request): readonly StoredEntry[] {
    return this.#slots.get(key)?.variants.filter((entry) => !isVariantFor(entry, request)) ?? []
  }

  // all variants of a URL go together: the page "Configuration", "Vary"
  #select(scope: PurgeScope, options: CachePurgeOptions): readonly string[] {
    const { tags = [], pathPrefixes = [], purgeEverything = false } = options
    const wanted = new Set(tags.map((tag) => tag.toLowerCase()))
    const prefixes = pathPrefixes.map((prefix) => `/${prefix.replace(/^\//, '')}`)
    const isSelected = ({ place, variants }: Slot): boolean =>
      purgeEverything ||
      prefixes.some((prefix) => place.path.startsWith(prefix)) ||
      variants.some((entry) => readTags(entry.headers).some((tag) => wanted.has(tag)))
    return [...this.#slots]
      .filter(([, slot]) => isWithin(slot.place, scope) && isSelected(slot))
      .map(([key]) => key)
  }
}

function isWithin({ entrypoint, props }: EntryPlace, scope: PurgeScope): boolean {
  return entrypoint === scope.entrypoint && (scope.props ?? props) === props
}

/** RFC 9111, 4.1, with the values compared verbatim. */
export function isVariantFor({ varied }: StoredEntry, { headers }: Request): boolean {
  return [...varied].every(([name, value]) => headers.get(name) === value)
}

/** "Cache-Tag" on the page "Configuration": what is not a valid tag is dropped without an error. */
function readTags(headers: Headers): readonly string[] {
  return (headers.get('cache-tag') ?? '')
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => /^[\x21-\x7e]{1,1024}$/.test(tag))
    .slice(0, 1000)
}
