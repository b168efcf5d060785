import type { Resource } from '../define/resource.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { askFirst } from './asking/ask-first.ts'
import { attempt } from './attempt.ts'
import { absentWhereRead, withAbsent } from './absent.ts'
import type { Call, CallSettings } from './call.ts'
import { toResourceContents } from './results/resource-contents.ts'
import { sanitizeContents } from './sanitize/content.ts'
import { checkSize } from './results/size-limit.ts'
import { toWorking } from './working.ts'

/**
 * Reads one resource and prints its contents, as the members of a result without its caching hints
 * (server/resources, "Reading Resources"). `values` are the variables of its template.
 */
export function readResource(
  call: Call,
  values: Readonly<Record<string, string>>,
  load: () => Promise<{ readonly default: Resource }>,
  settings: CallSettings,
): Promise<Outcome> {
  const { name: uri, exchange } = call
  const { maxResultBytes: maxBytes, openSanitizer } = settings
  return attempt(`resources/read ${uri}`, exchange, async (signal) => {
    const { default: resource } = await load()
    const checked = await (resource.checkParams?.(values) ?? { ok: true, value: values })
    if (!checked.ok) return notFound(uri, checked.problems.join(' '))
    const { definition } = resource
    const sanitizer = openSanitizer(exchange.env)
    // what is the same for everybody must not be told who asks
    const { caller, ...working } = toWorking(call, sanitizer, signal)
    const reading = { ...working, uri, params: checked.value }
    const print = async (returned: unknown): Promise<Outcome> => {
      const settings = { uri, mime: definition.mime, maxBytes, signal }
      const contents = await toResourceContents(returned, settings)
      if (contents === null) return notFound(uri)
      const clean = contents.map((content) => sanitizeContents(content, sanitizer))
      const members = `"contents":${checkSize(uri, JSON.stringify(clean), maxBytes)}`
      return { kind: 'result', members }
    }
    if (definition.shared === true) {
      return askFirst(call, settings, undefined, async () =>
        print(await definition.read(withAbsent(absentWhereRead, reading))),
      )
    }
    const known = { ...reading, caller }
    return askFirst(
      call,
      settings,
      definition.ask && ((deciding) => definition.ask?.({ ...known, ...deciding })),
      async (answers) => print(await definition.read({ ...known, answers })),
    )
  })
}

/** Ends a read of what is not there (server/resources, "Error Handling"). */
export function notFound(uri: string, why = 'List what there is, then try again.'): Outcome {
  return fail({ kind: 'invalid-params', why: `Resource not found: ${uri}. ${why}`, data: { uri } })
}
