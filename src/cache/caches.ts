import type { Registry } from '../registry/registry.ts'
import { createPurgeFilter } from '../registry/kept.ts'
import { createColoStore } from './colo-store.ts'
import type { Fill, Keep } from './fill.ts'
import { createKeep } from './keep.ts'
import { createColoPurge, createWorkersPurge, type OpenPurge } from './purge.ts'
import { createPurgeTimes, type PurgeTimes } from './purge-times.ts'
import { createVersion } from './version.ts'
import { createWorkersStore } from './workers-store.ts'

/** Where the answers of a server are kept: how they get there, and how they are purged. */
export interface Caches {
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
