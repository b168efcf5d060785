import type { Resource } from '../define/resource.ts'
import { toMilliseconds } from '../kit/duration.ts'
import { toJsonSchema, type PrintOther } from '../schema/print.ts'
import { isJsonObject } from '../wire/json.ts'
import { toGuarded } from './guarded.ts'
import { toArgumentEntry } from './argument-entry.ts'
import type { ResourceEntry } from './entries.ts'
import { toResourceListing } from './resource-listing.ts'
import { isTemplate, readTemplateParts } from './uri-template-parts.ts'

/** Says all that the registry holds of a resource, but for `load`, which the build adds. */
export function toResourceEntry(
  name: string,
  { definition }: Resource,
  printOther?: PrintOther,
): Omit<ResourceEntry, 'load'> {
  const { uri, shared = false, fresh, stale, params, complete } = definition
  const printed = params === undefined ? {} : toJsonSchema(params, 'input', printOther)
  const properties = isJsonObject(printed['properties']) ? printed['properties'] : {}
  const variables = readTemplateParts(uri).flatMap(({ names }) => names)
  return {
    name,
    uri,
    listed: JSON.stringify(toResourceListing({ ...definition, name })),
    shared,
    ttlMs: fresh === undefined ? 0 : toMilliseconds(fresh),
    staleMs: stale === undefined ? 0 : toMilliseconds(stale),
    asks: definition.ask !== undefined,
    ...toGuarded(definition),
    dynamic: isTemplate(uri) && definition.list !== undefined,
    arguments: variables.map((variable) =>
      toArgumentEntry(variable, properties[variable], complete),
    ),
  }
}
