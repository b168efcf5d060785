import type { ResourceEntry } from '../../define/registry.ts'
import type { Resource } from '../../define/resource.ts'
import { toResourceListing } from '../../mcp/resource-rows.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { isTemplate, readTemplateParts } from '../../protocol/uri-template.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { toMilliseconds } from '../../util/duration.ts'
import { findUnknownCompleters, toArgumentEntry, toVisibilityMembers } from './shared-members.ts'
import { findTemplateProblems } from './uri-template-problems.ts'

/** Creates the registry's entry of a resource, without `load`, which the build adds. */
export function toResourceEntry(
  name: string,
  { definition }: Resource,
  printOther?: PrintOther,
): Omit<ResourceEntry, 'load'> {
  const { uri, shared = false, cache, stale, params, complete } = definition
  const printed = params === undefined ? {} : toJsonSchema(params, 'input', printOther)
  const properties = isJsonObject(printed['properties']) ? printed['properties'] : {}
  const variables = readTemplateParts(uri).flatMap(({ names }) => names)
  return {
    name,
    uri,
    listed: JSON.stringify(toResourceListing({ ...definition, name })),
    shared,
    ttlMs: cache === undefined ? 0 : toMilliseconds(cache),
    staleMs: stale === undefined ? 0 : toMilliseconds(stale),
    asks: definition.ask !== undefined,
    ...toVisibilityMembers(definition),
    dynamic: isTemplate(uri) && definition.list !== undefined,
    arguments: variables.map((variable) =>
      toArgumentEntry(variable, properties[variable], complete),
    ),
  }
}

/** Finds the parts of a resource's definition that do not fit its URI. */
export function findResourceProblems(
  { definition }: Resource,
  printOther?: PrintOther,
): readonly string[] {
  const { uri, params, complete, size } = definition
  const problems = findTemplateProblems(uri).map((why) => `\`uri\` is "${uri}". ${why}`)
  if (!isTemplate(uri)) {
    const unused = (['params', 'complete', 'list'] as const).filter(
      (key) => definition[key] !== undefined,
    )
    return [
      ...problems,
      ...unused.map((key) => `\`${key}\` is for templates, and "${uri}" is not a template.`),
    ]
  }
  const variables = readTemplateParts(uri).flatMap(({ names }) => names)
  const required =
    params === undefined ? [] : readRequired(toJsonSchema(params, 'input', printOther))
  return [
    ...problems,
    ...(size === undefined ? [] : ['`size` is for a single resource, and a template has many.']),
    ...required
      .filter((name) => !variables.includes(name))
      .map((name) => `\`params\` requires "${name}", which is not a variable of "${uri}".`),
    ...findUnknownCompleters(complete, 'variable', variables),
  ]
}

function readRequired({ required }: { readonly required?: unknown }): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
