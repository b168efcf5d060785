import type { Resource } from '../define/resource.ts'
import type { Exchange } from '../wire/exchange.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { attempt } from './attempt.ts'
import { toResourceContents } from './resource-contents.ts'
import { checkSize } from './size-limit.ts'

/** What is read: the URI as the client wrote it, and its template's variables. */
export interface ReadTarget {
  readonly uri: string
  readonly values: Readonly<Record<string, string>>
}

/**
 * Reads one resource and prints its contents, as the members of a result without its caching hints
 * (server/resources, "Reading Resources").
 */
export function readResource(
  load: () => Promise<{ readonly default: Resource }>,
  { uri, values }: ReadTarget,
  exchange: Exchange,
  maxBytes: number,
): Promise<Outcome> {
  return attempt(`resources/read ${uri}`, exchange, async (signal) => {
    const { default: resource } = await load()
    const checked = await (resource.checkParams?.(values) ?? { ok: true, value: values })
    if (!checked.ok) return notFound(uri, checked.problems.join(' '))
    const { definition } = resource
    const reading = { uri, params: checked.value, env: exchange.env, signal }
    const returned = await (definition.shared === true
      ? definition.read(reading)
      : definition.read({ ...reading, caller: null, answers: {} }))
    const settings = { uri, mime: definition.mime, maxBytes, signal }
    const contents = await toResourceContents(returned, settings)
    if (contents === null) return notFound(uri)
    const members = `"contents":${checkSize(uri, JSON.stringify(contents), maxBytes)}`
    return { kind: 'result', members }
  })
}

/** Ends a read of what is not there (server/resources, "Error Handling"). */
export function notFound(uri: string, why = 'List what there is, then try again.'): Outcome {
  return fail({ kind: 'invalid-params', why: `Resource not found: ${uri}. ${why}`, data: { uri } })
}
