import { toOutcomeCaching } from '../cache/caching.ts'
import type { Implementation } from '../wire/implementation.ts'
import type { RequestId } from '../wire/message.ts'
import { metaKey } from '../wire/meta.ts'
import type { RpcError } from '../wire/rpc-error.ts'
import { toRpcError } from '../wire/rpc-error.ts'
import type { FinalOutcome } from './answer.ts'

/**
 * Makes the printer of responses: a result's `resultType`, its own members, and `serverInfo` in its
 * `_meta`, or an error (basic/index, "Responses" and "_meta").
 */
export function createPrinter(
  serverInfo: Implementation,
): (id: RequestId, outcome: FinalOutcome) => string {
  // the same in every result, so printed once
  const server = `"${metaKey.serverInfo}":${JSON.stringify(serverInfo)}`

  return (id, outcome) => {
    if (outcome.kind === 'failure') return printError(id, toRpcError(outcome.failure))
    const type = outcome.kind === 'result' ? 'complete' : 'input_required'
    const members = outcome.members === '' ? '' : `${outcome.members},`
    const caching = outcome.kind === 'result' && outcome.cache ? toOutcomeCaching(outcome) : null
    const hints = caching === null ? '' : `${caching.members},`
    const own = outcome.kind === 'result' && outcome.meta ? `${outcome.meta},` : ''
    return print(
      id,
      `"result":{"resultType":"${type}",${members}${hints}"_meta":{${own}${server}}}`,
    )
  }
}

/** Prints an error; under no id where that could not be read. */
export function printError(id: RequestId | undefined, { code, message, data }: RpcError): string {
  return print(id, `"error":${JSON.stringify({ code, message, data })}`)
}

function print(id: RequestId | undefined, member: string): string {
  const idMember = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${idMember}${member}}`
}
