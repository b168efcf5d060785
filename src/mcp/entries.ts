import { closest, distance } from 'fastest-levenshtein'
import type { PromptEntry, Registry, ResourceEntry, ToolEntry } from '../define/registry.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type CacheHints, type Outcome, fail } from '../protocol/outcome.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import { EntryList } from './lists.ts'
import { type ResourceLookup, createResourceLookup } from './resource-lookup.ts'
import { type RestrictedEntry, isVisibleToAll } from './visibility.ts'

/** The entries of a registry by the names that requests use, and the printed lists. */
export interface EntryIndex {
  readonly tools: ReadonlyMap<string, ToolEntry>
  readonly prompts: ReadonlyMap<string, PromptEntry>
  /** What `resources/list` contains, sorted by URI. */
  readonly listedResources: readonly ResourceEntry[]
  /** By URI or URI template, as in lists. */
  readonly resources: ReadonlyMap<string, ResourceEntry>
  readonly findResource: ResourceLookup
  readonly completes: boolean
  readonly lists: {
    readonly tools: EntryList<ToolEntry>
    readonly prompts: EntryList<PromptEntry>
    readonly resources: EntryList<ResourceEntry>
    readonly resourceTemplates: EntryList<ResourceEntry>
  }
}

/** Indexes a registry. Clients choose the names that are looked up, so each index is a `Map`. */
export function indexEntries(
  { tools, prompts, resources }: Registry,
  page: number | undefined,
  hints: CacheHints,
): EntryIndex {
  const templates = resources.filter(({ uri }) => isTemplate(uri))
  const listedResources = resources
    .filter(({ uri, dynamic }) => dynamic || !isTemplate(uri))
    .toSorted((a, b) => (a.uri < b.uri ? -1 : 1))
  const named = [...prompts, ...resources].flatMap((entry) => entry.arguments)
  return {
    tools: new Map(tools.map((entry) => [entry.name, entry])),
    prompts: new Map(prompts.map((entry) => [entry.name, entry])),
    resources: new Map(resources.map((entry) => [entry.uri, entry])),
    listedResources,
    findResource: createResourceLookup(resources),
    completes: named.some(({ suggestions }) => suggestions.length > 0),
    lists: {
      tools: new EntryList('tools', tools, toName, { page, hints }),
      prompts: new EntryList('prompts', prompts, toName, { page, hints }),
      resources: new EntryList('resources', listedResources, toUri, { page, hints }),
      resourceTemplates: new EntryList('resourceTemplates', templates, toUri, { page, hints }),
    },
  }
}

/**
 * Returns what the schemas of tools and the arguments of prompts name: property names, and the values of
 * `enum`, `const` and `default`. Clients know them from lists, so they are no secrets.
 */
export function readSchemaTexts({ tools, prompts }: Registry): ReadonlySet<string> {
  const texts = new Set<unknown>(prompts.flatMap((entry) => entry.arguments).map(toName))
  for (const { listed } of tools) {
    JSON.parse(listed, (key, value: unknown) => {
      if (key === 'properties' && isJsonObject(value)) for (const name in value) texts.add(name)
      if (key === 'enum' && Array.isArray(value)) for (const one of value) texts.add(one)
      if (key === 'const' || key === 'default') texts.add(value)
      return value
    })
  }
  return new Set([...texts].filter((text) => typeof text === 'string'))
}

function toName({ name }: { readonly name: string }): string {
  return name
}

function toUri({ uri }: ResourceEntry): string {
  return uri
}

/** A longer name is not compared: the time that it takes grows with the length. */
const maxCompared = 128

/**
 * Adds the name that was probably meant to the failure for an unknown one, as `data.nearest`. Only
 * entries that everybody sees are compared: a hidden one must not be found by guessing.
 */
export function withNearest(
  unknown: Outcome,
  name: unknown,
  entries: ReadonlyMap<string, RestrictedEntry>,
): Outcome {
  if (unknown.kind !== 'failure' || unknown.failure.kind !== 'invalid-params') return unknown
  if (typeof name !== 'string' || name.length > maxCompared) return unknown
  const names = [...entries].flatMap(([key, entry]) => (isVisibleToAll(entry) ? [key] : []))
  const nearest = names.length === 0 ? '' : closest(name, names)
  if (distance(name, nearest) > Math.min(2, nearest.length / 3)) return unknown
  return fail({ ...unknown.failure, data: { nearest } })
}

/**
 * Imports each module when it is first needed. After that `load` returns its definition without a
 * promise.
 */
export class DefinitionLoader<Definition> {
  // the definition and not its promise: in workerd a promise belongs to the request that created it
  readonly #loaded = new WeakMap<Loadable<Definition>, Definition>()

  load(entry: Loadable<Definition>): Definition | Promise<Definition> {
    return this.#loaded.get(entry) ?? this.#import(entry)
  }

  async #import(entry: Loadable<Definition>): Promise<Definition> {
    const { default: definition } = await entry.load()
    this.#loaded.set(entry, definition)
    return definition
  }
}

interface Loadable<Definition> {
  readonly load: () => Promise<{ readonly default: Definition }>
}
