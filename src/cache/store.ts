import type { Purged } from '../define/contexts.ts'
import type { Registry } from '../define/registry.ts'
import { isJsonObject } from '../protocol/json.ts'
import { ColoStore, type ReadVersion } from './colo-store.ts'
import type { PurgeTimes } from './purge.ts'
import type { CacheStore, ComputeResult } from './read-through.ts'
import { WorkersStore } from './workers-store.ts'

interface StoreSettings {
  readonly registry: Pick<Registry, 'code' | 'bindings'>
  readonly compute: ComputeResult
  readonly narrow: (what: Purged) => Purged
  readonly purges: PurgeTimes
}

/**
 * Creates the store that `createWorker` was configured with; `null` for no cache.
 *
 * @throws {RangeError} for `colo` without a binding for the version of the deploy.
 */
export function createStore(
  store: 'workers' | 'colo' | false,
  { registry, compute, narrow, purges }: StoreSettings,
): CacheStore | null {
  switch (store) {
    case 'workers':
      return new WorkersStore(narrow, purges)
    case 'colo':
      return new ColoStore(compute, createReadVersion(registry), purges)
    case false:
      return null
  }
}

/**
 * The version is the id of the deploy and the digest of the tools' code, which is the only one of the
 * two that changes under `wrangler dev`.
 */
function createReadVersion({ code, bindings }: StoreSettings['registry']): ReadVersion {
  const { versionMetadata } = bindings
  if (versionMetadata === undefined) {
    throw new RangeError(
      "cache: { store: 'colo' } needs the version of the deploy: the Workers of a zone share this cache, " +
        'and one would serve the results of another. Add [version_metadata] with binding = "VERSION" ' +
        'to wrangler.toml.',
    )
  }
  return (env) => {
    const metadata: unknown = Reflect.get(env, versionMetadata)
    const id = isJsonObject(metadata) ? metadata['id'] : null
    return typeof id === 'string' && id !== '' ? `${id} ${code}` : null
  }
}
