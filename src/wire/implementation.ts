import type { Icon } from './content.ts'

/** Who a client or a server says it is: for display and logs, never for decisions (basic/index). */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}
