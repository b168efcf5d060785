import type { ResourceEntry } from '../define/registry.ts'
import type { Resource, ResourcePage, ResourceRow } from '../define/resource.ts'
import type { Annotations, Icon } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import type { Call } from './call.ts'
import type { Deadline } from './deadline.ts'
import type { RowSource } from './merged-page.ts'

/**
 * Creates a source of list entries from a template that has a `list` of its own. A row whose URI this
 * template would not be asked for is left out: it could not be read, or another resource serves the URI
 * and is listed already.
 */
export function createRowSource(entry: ResourceEntry, call: Call, deadline: Deadline): RowSource {
  const { findResource } = call.settings.entries
  return {
    key: entry.uri,
    async list(cursor) {
      const { default: resource } = await entry.load()
      const { resources, next } = await listRows(resource, cursor, call, deadline)
      const served = resources.filter(({ uri }) => findResource(uri)?.entry.uri === entry.uri)
      if (served.length < resources.length) {
        warnOfStrays(call, entry.uri, resources.length - served.length)
      }
      const { mime } = resource.definition
      return {
        listed: served.map((row) => JSON.stringify(toResourceListing({ mime, ...row }))),
        ...(next !== undefined && { next }),
      }
    },
  }
}

function warnOfStrays({ log }: Call, template: string, count: number): void {
  log.warn(
    `list of ${template}`,
    `${count} resources are left out, as this template does not match their URIs or another one ` +
      'takes them. Make URIs from the template, with encodeURIComponent around each value.',
  )
}

/**
 * Asks a template for one page of its rows.
 *
 * @throws {TypeError} for what only an author without types would return, and for a `next` that would
 * send clients round in a circle.
 */
async function listRows(
  { definition }: Resource,
  cursor: string | undefined,
  call: Call,
  deadline: Deadline,
): Promise<ResourcePage> {
  const { env, caller } = call
  const context = { cursor, env, signal: deadline.signal }
  const page: unknown = await (definition.shared === true
    ? definition.list?.(context)
    : definition.list?.({ ...context, caller }))
  if (!isPage(page)) {
    throw new TypeError(
      `The list of ${definition.uri} returned something else than { resources, next }, ` +
        'in which each resource has a `uri` and a `name`.',
    )
  }
  if (page.next !== undefined && page.next === cursor) {
    throw new TypeError(`The list of ${definition.uri} gave back the cursor that it was given.`)
  }
  return page
}

function isPage(value: unknown): value is ResourcePage {
  if (!isJsonObject(value)) return false
  const { resources, next } = value
  return (
    (next === undefined || typeof next === 'string') &&
    Array.isArray(resources) &&
    resources.every(isRow)
  )
}

function isRow(value: unknown): value is ResourceRow {
  return (
    isJsonObject(value) && typeof value['uri'] === 'string' && typeof value['name'] === 'string'
  )
}

/** An entry of `resources/list`, or of `resources/templates/list` (server/resources, "Resource"). */
type ResourceListing = ({ readonly uri: string } | { readonly uriTemplate: string }) & {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType: string
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/** Converts a resource or template to its list entry, the keys in one order whatever the author's was. */
export function toResourceListing(
  resource: ResourceRow & { readonly mime: string },
): ResourceListing {
  const { uri, name, title, description, mime, size, icons, annotations } = resource
  return {
    ...(isTemplate(uri) ? { uriTemplate: uri } : { uri }),
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    mimeType: mime,
    ...(size !== undefined && { size }),
    ...(icons !== undefined && { icons }),
    ...(annotations !== undefined && { annotations }),
  }
}
