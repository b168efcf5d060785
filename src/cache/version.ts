import type { Registry } from '../registry/registry.ts'
import { isJsonObject } from '../wire/json.ts'

/**
 * Tells one deploy from another, where the platform does not: by the id of the version where
 * wrangler.toml has `[version_metadata]`, and in any case by the code of the tools.
 */
export function toVersion(env: object, { code, bindings }: Registry, version: string): string {
  const metadata: unknown =
    bindings.versionMetadata === undefined
      ? undefined
      : Object.entries(env).find(([name]) => name === bindings.versionMetadata)?.[1]
  const id = isJsonObject(metadata) ? String(metadata['id']) : ''
  return `${version} ${code} ${id}`
}
