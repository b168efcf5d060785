import {
  type PartitionedEntry,
  type CachePartition,
  isPartitionOf,
  toPartition,
} from '../cache/cache-key.ts'
import { toReadTags } from '../cache/purge.ts'
import type { CacheLookup } from '../cache/read-through.ts'
import type { Abilities } from '../define/contexts.ts'
import type { ResourceEntry } from '../define/registry.ts'
import type { Resource } from '../define/resource.ts'
import { type CacheHints, type Outcome, fail } from '../protocol/outcome.ts'
import { mapSync } from '../util/microtasks.ts'
import type { Call } from './call.ts'
import { WorkContext, unavailableInSharedRead, withUnavailable } from './contexts.ts'
import { DefinitionLoader } from './entries.ts'
import { runPipeline } from './pipeline.ts'
import { toResourceContents } from './resource-contents.ts'
import { type FoundResource, isCacheable } from './resource-lookup.ts'
import { checkSize } from './result-size.ts'
import { isVisibleToAll } from './visibility.ts'
import { type AnswerValues, Work } from './work.ts'
import { excerpt } from '../util/excerpt.ts'

/** `resources/templates/list` (server/resources, "Resource Templates"). */
export function listResourceTemplates(call: Call): Outcome | Promise<Outcome> {
  return call.settings.entries.lists.resourceTemplates.answer(call)
}

/** `resources/read` (server/resources, "Reading Resources"). */
export function readResource(call: Call): Outcome | Promise<Outcome> {
  const { uri } = call.params
  if (typeof uri !== 'string') {
    return fail({ kind: 'invalid-params', why: 'params.uri must be a string.' })
  }
  const found = call.settings.entries.findResource(uri)
  return found === null ? notFound(uri) : runPipeline(new ResourceWork(call, uri, found))
}

/** The outcome for an unknown URI (server/resources, "Error Handling"). */
export function notFound(uri: string, reason = 'List the resources, then try again.'): Outcome {
  const why = `Resource not found: ${excerpt(uri)}. ${reason}`
  return fail({ kind: 'resource-not-found', why, uri: excerpt(uri) })
}

const definitions = new DefinitionLoader<Resource>()

/** One read of a resource. `values` are the variables of its template. */
class ResourceWork extends Work {
  readonly entry: ResourceEntry
  override readonly hints: CacheHints
  readonly #found: FoundResource
  #resource: Resource | null = null
  #params: unknown

  constructor(call: Call, uri: string, found: FoundResource) {
    super(call, uri, {})
    const { entry, values } = found
    const { ttlMs, shared } = entry
    this.entry = entry
    this.hints = { ttlMs, cacheScope: shared ? 'public' : 'private' }
    this.#found = found
    this.#params = values
  }

  override toUnknown(): Outcome {
    return notFound(this.name)
  }

  override async load(): Promise<void> {
    this.#resource = await definitions.load(this.entry)
  }

  get #loaded(): Resource {
    if (this.#resource === null) throw new TypeError(`${this.name} was used before it was loaded.`)
    return this.#resource
  }

  override toCacheLookup(): CacheLookup | null {
    const { entry } = this
    const { uri, key } = this.#found
    if (!isCacheable(entry)) return null
    const { ttlMs, staleMs } = entry
    return {
      request: { method: 'resources/read', uri },
      partition: toPartition(toPartitionedEntry(entry), this.call.caller),
      lifetime: { ttlMs, staleMs, tags: toReadTags(key, entry.uri) },
    }
  }

  override checkInput(): Outcome | null | Promise<Outcome | null> {
    const { checkParams } = this.#loaded
    if (checkParams === null) return null
    return mapSync(checkParams(this.#found.values), (checked) => {
      if (!checked.ok) return notFound(this.name, checked.problems.join(' '))
      this.#params = checked.value
      return null
    })
  }

  override get hasRounds(): boolean {
    return true
  }

  override get asks(): boolean {
    const { definition } = this.#loaded
    return definition.shared !== true && definition.ask !== undefined
  }

  override ask(answers: AnswerValues, can: Abilities): unknown {
    const { definition } = this.#loaded
    if (definition.shared === true) return {}
    return definition.ask?.(Object.assign(this.#toContext(), { answers, can })) ?? {}
  }

  override async run(answers: AnswerValues): Promise<Outcome> {
    const { deadline } = this
    const { uri } = this.#found
    const { mime } = this.#loaded.definition
    const { maxResultBytes: maxBytes } = this.call.settings
    const contents = await toResourceContents(await this.#read(answers), {
      uri,
      mime,
      maxBytes,
      deadline,
    })
    if (contents === null) return notFound(this.name)
    const members = `"contents":${checkSize(uri, JSON.stringify(contents), maxBytes)}`
    return { kind: 'result', members }
  }

  #read(answers: AnswerValues): unknown {
    const { definition } = this.#loaded
    const context = this.#toContext()
    if (definition.shared !== true) return definition.read(Object.assign(context, { answers }))
    // a shared result must not depend on the caller
    const { caller: _, ...shared } = context
    return definition.read(withUnavailable(unavailableInSharedRead, shared))
  }

  #toContext() {
    const context = new WorkContext(this.call, this.name, this.deadline)
    return Object.assign(context, { uri: this.#found.uri, params: this.#params })
  }
}

function toPartitionedEntry(entry: ResourceEntry): PartitionedEntry {
  return { key: entry.uri, shared: entry.shared, isOpen: isVisibleToAll(entry) }
}

/** Creates the work that reads a resource for the cache; `null` for a URI that is not cached. */
export function toCachedResourceWork(
  call: Call,
  uri: string,
  partition: CachePartition,
): Work | null {
  const found = call.settings.entries.findResource(uri)
  if (found === null || !isCacheable(found.entry)) return null
  if (!isPartitionOf(partition, toPartitionedEntry(found.entry))) return null
  return new ResourceWork(call, uri, found)
}
