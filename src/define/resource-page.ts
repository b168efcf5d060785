import type { Annotations, Icon } from '../wire/content.ts'

/** A resource that is there now, as `list` tells of it (server/resources, "Resource"). */
export interface ResourceRow {
  /** Made from the template of the same module; encode the values with `encodeURIComponent`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** The media type; that of the definition unless said otherwise. */
  readonly mime?: string
  /** Bytes. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/** Some of the resources that are there now. */
export interface ResourcePage {
  readonly resources: readonly ResourceRow[]
  /** The cursor of the page that follows; none after the last one. */
  readonly next?: string
}
