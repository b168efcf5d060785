import type { Registry } from '../registry/registry.ts'
import { isJsonObject } from '../wire/json.ts'

/** Tells one deploy from another, and from any other Worker; `null` where nothing does. */
export type Version = (env: object) => string | null

/**
 * Makes the version for a cache that knows none, and that the Workers of a zone share: the id of what
 * is deployed, and the code of the tools, which changes under `wrangler dev`.
 *
 * @throws {RangeError} where wrangler.toml has no binding for it.
 */
export function createVersion({ code, bindings }: Registry): Version {
  const { versionMetadata } = bindings
  if (versionMetadata === undefined) {
    throw new RangeError(
      "cache: 'colo' needs to know which version it is: without that, what one deploy or Worker kept " +
        'would be served by the next. Add [version_metadata] with binding = "VERSION" to wrangler.toml.',
    )
  }
  return (env) => {
    const metadata: unknown = Reflect.get(env, versionMetadata)
    const id = isJsonObject(metadata) ? metadata['id'] : null
    return typeof id === 'string' && id !== '' ? `${id} ${code}` : null
  }
}
