import type { Freshness } from '../cache/freshness.ts'
import type { Audit } from '../out/audit.ts'
import type { Implementation } from '../protocol/content.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Failure } from '../protocol/failure.ts'
import { type Outcome, toMembers } from '../protocol/outcome.ts'
import { toDigest } from '../util/digest.ts'
import type { Methods } from './methods.ts'

/** A list as a plain document, or why there is none now. */
export type Document =
  | { readonly kind: 'document'; readonly body: string; readonly freshness: Freshness }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** Gives the document of a name, as nobody in particular sees it; `null` where there is none. */
export type Documents = (
  name: string,
  cursor: string | null,
  exchange: Exchange,
) => Promise<Document | null>

interface DocumentSettings {
  readonly serverInfo: Implementation
  /** Whether callers without credentials are let in: only then is a document for everybody. */
  readonly isPublic: boolean
  readonly audit: Audit | null
}

const methodOf: Readonly<Record<string, string>> = {
  tools: 'tools/list',
  resources: 'resources/list',
  'resources/templates': 'resources/templates/list',
  prompts: 'prompts/list',
  server: 'server/discover',
}

/** The names of all documents. */
export const documentNames: readonly string[] = Object.keys(methodOf)

/** Makes the documents. `exchange` is nobody's: a list has in it what an anonymous caller may see. */
export function createDocuments(
  methods: Methods,
  { serverInfo, isPublic, audit }: DocumentSettings,
): Documents {
  const cacheScope = isPublic ? 'public' : 'private'
  return async (name, cursor, exchange) => {
    const method = methodOf[name] ?? ''
    const answer = methods.get(method)
    if (answer === undefined) return null
    const params = cursor === null ? {} : { cursor }
    const message = { kind: 'request', id: `GET ${name}`, method, params } as const
    const ask = () => answer(message, exchange, { clientCapabilities: {} })
    const outcome = await (audit === null ? ask() : audit(message, exchange, ask))
    if (outcome.kind === 'failure') return outcome
    const { members, cache, kept } = toResult(outcome)
    // the version of a server would give all lists new tags with each deploy
    const own = name === 'server' ? `,${toMembers({ serverInfo })}` : ''
    const body = `{${members}${own}}`
    const etag = `"${await toDigest(body)}"`
    const freshness = {
      ttlMs: cache?.ttlMs ?? 0,
      cacheScope,
      etag,
      tags: [name],
      ...(kept && { kept }),
    } as const
    return { kind: 'document', body, freshness }
  }
}

function toResult(outcome: Outcome) {
  if (outcome.kind === 'result') return outcome
  throw new TypeError(`A list was answered with ${outcome.kind}.`)
}
