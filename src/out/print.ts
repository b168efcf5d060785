import type { RpcError } from '../protocol/failure.ts'
import type { RequestId, ServerNotification, ServerRequest } from '../protocol/message.ts'
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
  // it has the id of a subscription, which goes back as it came
  const meta = isResult && outcome.meta ? `${outcome.meta},` : ''
  return print(
    id,
    `"result":{"resultType":"${type}",${members}${hints}"_meta":{${meta}${json(serverMeta)}}}`,
  )
}

/** Prints a response with a result of an earlier revision. The members have been sanitized. */
export function printLegacyResult(id: RequestId, members: string): string {
  return print(id, `"result":{${members}}`)
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
export function printNotification(
  { method, params }: ServerNotification,
  { json, line }: Sanitizer,
): string {
  const head = `"jsonrpc":"2.0","method":${json(JSON.stringify(method))}`
  if (params === undefined) return `{${head}}`
  // a client's own, by which it finds its request as by an id
  const { progressToken, requestId, _meta, ...others } = params
  const ids = JSON.stringify({ progressToken, requestId, _meta }).slice(1, -1)
  const { data, ...texts } = others
  // a log message never fails a call, whatever its data is
  const own = data === undefined ? '' : `"data":${line(JSON.stringify(data))}`
  const rest = json(JSON.stringify(texts)).slice(1, -1)
  const members = [ids, rest, own].filter((text) => text !== '')
  return `{${head},"params":{${members.join(',')}}}`
}

/** Prints a request to the client (2025-11-25, basic/index, "Requests"). */
export function printRequest({ id, method, params }: ServerRequest, { json }: Sanitizer): string {
  return print(id, json(JSON.stringify({ method, params })).slice(1, -1))
}

// ids are not sanitized: clients match responses by them
function print(id: RequestId | undefined, member: string): string {
  const idMember = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${idMember}${member}}`
}
