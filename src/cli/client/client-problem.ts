import { CliError } from '../../build/errors.ts'
import { ClientError } from '../../client/client.ts'
import { isJsonObject, isTextList } from '../../protocol/json.ts'
import { isLoopback } from '../../util/address.ts'
import { UsageError } from '../command.ts'
import { toSafeLine } from './printable.ts'
import type { Connection } from './server-options.ts'

type Asked = Pick<Connection, 'url' | 'hasToken'>

/** Runs what asks a server, and turns an error of the client into a sentence that says what to do next. */
export async function withSentences<Value>(
  asked: Asked,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    if (error.reason === 'unsendable') throw new UsageError(toSafeLine(error.message))
    throw new CliError(toSentence(error, asked))
  }
}

function toSentence(error: ClientError, asked: Asked): string {
  const url = toSafeLine(asked.url)
  switch (error.reason) {
    case 'unreachable':
      return toUnreachable(error, asked)
    case 'http':
      return toHttpSentence(error, asked, url)
    case 'refused':
      return toRefusal(error, asked, url)
    case 'invalid':
      return (
        `What answers at ${url} is not an MCP server, or breaks the protocol. ${toSafeLine(error.message)} ` +
        'Check the path of the URL: it is /mcp for a Helve Worker, unless its code says otherwise.'
      )
    case 'timeout':
      return `${toSafeLine(error.message)} Try again, or look into the log of the server.`
    case 'unanswered':
    case 'unsendable':
      return toSafeLine(error.message, 1_000)
  }
}

function toUnreachable({ message, cause }: ClientError, { url }: Asked): string {
  if (!message.startsWith('There is no response')) return toSafeLine(message)
  const inner = cause instanceof Error ? (cause.cause ?? cause) : undefined
  const why =
    inner instanceof Error && inner.message !== '' ? ` (${toSafeLine(inner.message)})` : ''
  const next = isLoopback(new URL(url))
    ? 'Start the Worker with `helve dev`, or pass the URL of a server that runs.'
    : 'Check the URL and the connection.'
  return `${message.replace(/\.$/, '')}${why}. ${next}`
}

function toHttpSentence(error: ClientError, asked: Asked, url: string): string {
  const { status, headers } = error
  if (status === 401 || status === 403) return toChallenge(error, asked, url)
  if (status === 404 || status === 405) {
    return (
      `There is no MCP endpoint at ${url}: the server answered with status ${status}. Check the path, which is ` +
      '/mcp for a Helve Worker, unless its code says otherwise.'
    )
  }
  if (status === 429) {
    const after = headers?.get('Retry-After')
    const wait = after && /^\d{1,6}$/.test(after) ? `in ${after} seconds` : 'later'
    return `The server has too many requests (429). Try again ${wait}.`
  }
  return toSafeLine(error.message, 400)
}

/** Reads what `WWW-Authenticate` says about the token that is needed (RFC 6750, RFC 9728). */
function toChallenge({ status, headers, message }: ClientError, asked: Asked, url: string): string {
  const challenge = headers?.get('WWW-Authenticate') ?? ''
  const read = (name: string): string => {
    const [, quoted, plain] =
      new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(challenge) ?? []
    return toSafeLine(quoted ?? plain ?? '')
  }
  const why = read('error_description') || read('error')
  const scope = read('scope')
  const metadata = read('resource_metadata')
  const isScope = status === 403 && read('error') === 'insufficient_scope'
  const first =
    status === 401
      ? asked.hasToken
        ? `${url} refused the token (401)`
        : `${url} wants a token (401)`
      : `${url} does not allow this (403)`
  return [
    `${first}${why === '' ? '' : `: ${why.replace(/\.$/, '')}`}.`,
    ...(scope === '' ? [] : [`The token needs ${isScope ? 'also ' : ''}the scopes: ${scope}.`]),
    ...(metadata === '' ? [] : [`Who issues tokens is said at ${metadata} .`]),
    ...(status === 401 ? ['Pass a token with --token, or in the variable HELVE_TOKEN.'] : []),
    ...(challenge === '' && status === 403 ? [toSafeLine(message, 400)] : []),
  ].join(' ')
}

/** What servers of earlier revisions say of a request without a session, and of a method that they do not know. */
function isOfEarlierRevision({ code, status }: ClientError): boolean {
  if (code === -32_601) return status !== 404
  return code !== null && code <= -32_000 && code > -32_020 && status === 400
}

function toRefusal(error: ClientError, asked: Asked, url: string): string {
  const { code, status, data, message } = error
  const said = toSafeLine(message, 1_000)
  if (status === 401 || status === 403) return toChallenge(error, asked, url)
  if (code === -32_022) {
    const supported = isJsonObject(data) && isTextList(data['supported']) ? data['supported'] : []
    return (
      `${url} speaks ${toSafeLine(supported.join(', ')) || 'other revisions of MCP'}, and this command only 2026-07-28. ` +
      'Update the server, or use an older client.'
    )
  }
  if (isOfEarlierRevision(error)) {
    return (
      `${url} speaks a revision of MCP before 2026-07-28, and this command only 2026-07-28. ` +
      `The server said: ${said} Update the server, or use an older client.`
    )
  }
  if (code === -32_021) {
    const needed = isJsonObject(data) ? data['requiredCapabilities'] : undefined
    const names = isJsonObject(needed) ? Object.keys(needed) : []
    const next = names.includes('roots') ? ' Pass the folders with --root.' : ''
    return `The server wants to ask for what this command does not have: ${said}${next}`
  }
  return `The server refused the request: ${said} (error ${code}).`
}
