import type { Registry } from '../define/registry.ts'
import { createPurgeFilter } from '../mcp/resource-lookup.ts'
import { isJsonObject } from '../protocol/json.ts'
import { createColoStore } from './colo-store.ts'
import {
  type OpenPurge,
  type PurgeTimes,
  createColoPurge,
  createPurgeTimes,
  createWorkersPurge,
} from './purge.ts'
import { type Fill, type Keep, createKeep } from './read-through.ts'
import { createWorkersStore } from './workers-store.ts'

/** Where the answers of a server are kept: how they get there, and how they are purged. */
interface Caches {
  readonly purges: PurgeTimes
  readonly createKeep: (fill: Fill) => Keep
  readonly openPurge: OpenPurge
}

/**
 * Makes the caches that `createWorker` was told to use.
 *
 * @throws {RangeError} for `colo` where nothing tells one deploy from another.
 */
export function createCaches(where: 'workers' | 'colo' | false, registry: Registry): Caches {
  const purges = createPurgeTimes()
  switch (where) {
    case 'workers':
      return {
        purges,
        createKeep: (fill) => createKeep(fill, createWorkersStore()),
        openPurge: createWorkersPurge(createPurgeFilter(registry), purges),
      }
    case 'colo': {
      const versionOf = createVersion(registry)
      return {
        purges,
        createKeep: (fill) => createKeep(fill, createColoStore(fill, versionOf, purges)),
        openPurge: createColoPurge(purges),
      }
    }
    case false:
      return {
        purges,
        createKeep: (fill) => createKeep(fill, null),
        openPurge: () => async () => {},
      }
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
