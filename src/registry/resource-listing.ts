import type { ResourceRow } from '../define/resource-page.ts'
import type { Annotations, Icon } from '../wire/content.ts'
import { isTemplate } from './uri-template-parts.ts'

/** An entry of `resources/list`, or of `resources/templates/list` (server/resources, "Resource"). */
export type ResourceListing = ({ readonly uri: string } | { readonly uriTemplate: string }) & {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType: string
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/** Says the list entry of a resource or template, its keys in one order whatever the author's was. */
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
