/**
 * Why a request of the client has no result:
 * - `refused`: the server answered with a JSON-RPC error, which has `code` and maybe `data`
 * - `http`: an HTTP error or a redirect, without a JSON-RPC error; `status` and `headers` say more
 * - `unreachable`: there is no response, or the connection broke
 * - `invalid`: the response is not what the specification says
 * - `unanswered`: the server asked something that `answers` does not answer
 * - `unsendable`: what the caller passed cannot be sent
 * - `timeout`: there was no result in time
 */
export type ClientErrorReason =
  | 'refused'
  | 'http'
  | 'unreachable'
  | 'invalid'
  | 'unanswered'
  | 'unsendable'
  | 'timeout'

interface ErrorDetails {
  readonly code?: number
  readonly data?: unknown
  readonly status?: number
  readonly headers?: Headers
  readonly cause?: unknown
}

/** A request that has no result. The sentences of servers are in it, so it is not to be trusted. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly reason: ClientErrorReason
  /** The JSON-RPC error code of the server; `null` if it sent none. */
  readonly code: number | null
  /** The `data` of the JSON-RPC error. */
  readonly data: unknown
  /** The HTTP status; `null` if there is no response. */
  readonly status: number | null
  /** The headers of the response, such as `WWW-Authenticate` and `Retry-After`. */
  readonly headers: Headers | null

  constructor(reason: ClientErrorReason, message: string, details: ErrorDetails = {}) {
    const { code = null, data, status = null, headers = null, cause } = details
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.code = code
    this.data = data
    this.status = status
    this.headers = headers
  }
}
