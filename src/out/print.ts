import type { RpcError } from '../protocol/failure.ts'
import type { RequestId, ServerNotification } from '../protocol/message.ts'
import type { FinalOutcome } from '../protocol/outcome.ts'
import type { Sanitizer } from './sanitizer.ts'

/*
 * Every JSON-RPC message is printed here, with the sanitizer of its call, so that no text is sent
 * without it.
 */

/**
 * Prints a response with a result: `resultType`, members, caching hints, and a `_meta` with
 * `serverMeta` (basic/index, "Responses" and "_meta").
 */
export function printResult(
  id: RequestId,
  outcome: Exclude<FinalOutcome, { kind: 'failure' }>,
  { serverMeta, hints }: { readonly serverMeta: string; readonly hints: string },
  { json }: Sanitizer,
): string {
  const isResult = outcome.kind === 'result'
  const type = isResult ? 'complete' : 'input_required'
  const clean = isResult && outcome.isClean ? outcome.members : json(outcome.members)
  const members = clean === '' ? '' : `${clean},`
  const meta = isResult && outcome.meta ? `${json(outcome.meta)},` : ''
  return print(
    id,
    `"result":{"resultType":"${type}",${members}${hints}"_meta":{${meta}${json(serverMeta)}}}`,
  )
}

/** Prints a response with an error, without an id if that of the request could not be read. */
export function printError(
  id: RequestId | undefined,
  error: RpcError,
  { json }: Sanitizer,
): string {
  const { code, message, data } = error
  return print(id, `"error":${json(JSON.stringify({ code, message, data }))}`)
}

/** Prints a notification from the server (basic/index, "Notifications"). */
export function printNotification(notification: ServerNotification, { json }: Sanitizer): string {
  return json(JSON.stringify({ jsonrpc: '2.0', ...notification }))
}

// ids are not sanitized: clients match responses by them
function print(id: RequestId | undefined, member: string): string {
  const idMember = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${idMember}${member}}`
}
