import type { ResourcePage, ResourceRow } from '../define/resource-page.ts'
import type { Resource } from '../define/resource.ts'
import type { Exchange } from '../wire/exchange.ts'
import { isJsonObject } from '../wire/json.ts'

/**
 * Asks a template for a page of the resources there are.
 *
 * @throws {TypeError} for what only an untyped author would return, and for a `next` that would send
 * clients round in a circle.
 */
export async function listRows(
  { definition }: Resource,
  cursor: string | undefined,
  { caller, env }: Exchange,
  signal: AbortSignal,
): Promise<ResourcePage> {
  const listing = { cursor, env, signal }
  const page: unknown = await (definition.shared === true
    ? definition.list?.(listing)
    : definition.list?.({ ...listing, caller }))
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
