import type { Registry } from '../registry/registry.ts'
import { createPurgeFilter } from '../registry/kept.ts'
import { createColoStore } from './colo-store.ts'
import type { Fill, Keep } from './fill.ts'
import { createKeep } from './keep.ts'
import { createColoPurge, createWorkersPurge, type OpenPurge } from './purge.ts'
import { createPurgeTimes } from './purge-times.ts'
import { toVersion } from './version.ts'
import { createWorkersStore } from './workers-store.ts'

/** Where the answers of a server are kept: how they get there, and how they are purged. */
export interface Caches {
  readonly createKeep: (fill: Fill) => Keep
  readonly openPurge: OpenPurge
}

/** Makes the caches that `createWorker` was told to use. */
export function createCaches(
  where: 'workers' | 'colo' | false,
  { registry, version }: { readonly registry: Registry; readonly version: string },
): Caches {
  switch (where) {
    case 'workers':
      return {
        createKeep: (fill) => createKeep(fill, createWorkersStore()),
        openPurge: createWorkersPurge(createPurgeFilter(registry)),
      }
    case 'colo': {
      const purges = createPurgeTimes()
      const versionOf = (env: object): string => toVersion(env, registry, version)
      return {
        createKeep: (fill) => createKeep(fill, createColoStore(fill, versionOf, purges)),
        openPurge: createColoPurge(purges),
      }
    }
    case false:
      return { createKeep: (fill) => createKeep(fill, null), openPurge: () => async () => {} }
  }
}
