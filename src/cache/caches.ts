import type { Purged } from '../define/contexts.ts'
import type { Registry } from '../define/registry.ts'
import { isJsonObject } from '../protocol/json.ts'
import { createColoStore } from './colo-store.ts'
import {
  type OpenPurge,
  type PurgeTimes,
  createColoPurge,
  createPurgeTimes,
  createWorkersPurge,
} from './purge.ts'
import type { ComputeResult, CacheStore } from './read-through.ts'
import { WorkersStore } from './workers-store.ts'

/** Where the results of a server are cached, and how they are purged. */
interface Caches {
  readonly purges: PurgeTimes
  readonly store: CacheStore | null
  readonly openPurge: OpenPurge
}

interface CachesOptions {
  /** Makes a result from its key. */
  readonly compute: ComputeResult
  /** Leaves out of a purge what is never cached. */
  readonly narrow: (what: Purged) => Purged
}

/**
 * Creates the caches that `createWorker` was told to use.
 *
 * @throws {RangeError} for `colo` where nothing tells one deploy from another.
 */
export function createCaches(
  where: 'workers' | 'colo' | false,
  registry: Registry,
  { compute, narrow }: CachesOptions,
): Caches {
  const purges = createPurgeTimes()
  switch (where) {
    case 'workers': {
      const openPurge = createWorkersPurge(narrow, purges)
      return { purges, store: new WorkersStore(), openPurge }
    }
    case 'colo': {
      const store = createColoStore(compute, createVersion(registry), purges)
      return { purges, store, openPurge: createColoPurge(purges) }
    }
    case false:
      return { purges, store: null, openPurge: () => async () => {} }
  }
}

/** Tells one deploy from another, and from any other Worker; `null` where nothing does. */
export type Version = (env: object) => string | null

/**
 * Makes the version for a cache that knows none, and that the Workers of a zone share: the id of what
 * is deployed, and the code of the tools, which changes under `wrangler dev`.
 *
 * @throws {RangeError} where wrangler.toml has no binding for it.
 */
function createVersion({ code, bindings }: Registry): Version {
  const { versionMetadata } = bindings
  if (versionMetadata === undefined) {
    throw new RangeError(
      "cache: { store: 'colo' } needs to know which version it is: without that, what one deploy or Worker kept " +
        'would be served by the next. Add [version_metadata] with binding = "VERSION" to wrangler.toml.',
    )
  }
  return (env) => {
    const metadata: unknown = Reflect.get(env, versionMetadata)
    const id = isJsonObject(metadata) ? metadata['id'] : null
    return typeof id === 'string' && id !== '' ? `${id} ${code}` : null
  }
}
