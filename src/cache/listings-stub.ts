import type { Audience } from './audience.ts'
import type { PurgeResult } from './listings.ts'

/** The `Listings` entrypoint as its own Worker sees it. */
export interface ListingsStub {
  fetch(url: string): Promise<Response>
  purge(tags: readonly string[] | 'everything'): Promise<PurgeResult>
}

type OpenListings = (options: { readonly props: Audience }) => ListingsStub

/** Finds the entrypoint among `ctx.exports`; `null` where the Worker does not export it. */
export function findListings(exports: unknown, props: Audience = {}): ListingsStub | null {
  const found: unknown = Object(exports).Listings
  return isEntrypoint(found) ? found({ props }) : null
}

function isEntrypoint(value: unknown): value is OpenListings {
  return typeof value === 'function'
}
