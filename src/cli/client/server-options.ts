import process from 'node:process'
import { type ClientOptions, type Client, createClient } from '../../client/client.ts'
import { isLoopback } from '../../util/address.ts'
import { UsageError } from '../command.ts'
import { readVersion } from '../version.ts'
import { toSafeLine } from './printable.ts'

/** The options of all commands that ask a server. */
export const serverOptions = {
  url: {
    type: 'string',
    short: 'u',
    value: '<url>',
    about: 'the MCP endpoint (default: http://127.0.0.1:8787/mcp)',
  },
  token: {
    type: 'string',
    short: 't',
    value: '<token>',
    about: 'the bearer token (default: the variable HELVE_TOKEN)',
  },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    value: '<name: value>',
    about: 'a header that is sent with each request; several times for several',
  },
  json: { type: 'boolean', about: 'print JSON, and nothing else' },
} as const

interface ServerValues {
  readonly url?: string | undefined
  readonly token?: string | undefined
  readonly header?: readonly string[] | undefined
}

/** A client, and what the command line said about its server. */
export interface Connection {
  readonly client: Client
  readonly url: string
  readonly hasToken: boolean
}

const localEndpoint = 'http://127.0.0.1:8787/mcp'

/** @throws {UsageError} for a URL that is given twice, and for a header without a name. */
export async function createConnection(
  { url: named, token, header = [] }: ServerValues,
  positional: string | undefined,
  options: Pick<ClientOptions, 'answers' | 'capabilities'> = {},
): Promise<Connection> {
  if (named !== undefined && positional !== undefined) {
    throw new UsageError('The URL is given twice: as an argument and with --url. Leave one out.')
  }
  const url = named ?? positional ?? localEndpoint
  const secret = token ?? process.env['HELVE_TOKEN'] ?? ''
  warnOfPlainToken(url, secret)
  const client = createClient({
    ...options,
    url,
    headers: Object.fromEntries(header.map(readHeader)),
    info: { name: 'helve', version: await readVersion() },
    ...(secret !== '' && { token: secret }),
    onWarning: (sentence) => console.error(`helve: ${toSafeLine(sentence, 500)}`),
  })
  return { client, url, hasToken: secret !== '' }
}

function readHeader(given: string): readonly [string, string] {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(given) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  // not the text, which may be a secret
  throw new UsageError('A --header has no name. Write it as --header "Name: value".')
}

function warnOfPlainToken(url: string, token: string): void {
  if (token === '' || !URL.canParse(url)) return
  const target = new URL(url)
  if (target.protocol !== 'http:' || isLoopback(target)) return
  console.error(
    `helve: The token goes to ${target.hostname} without encryption. Use https: if you can.`,
  )
}
