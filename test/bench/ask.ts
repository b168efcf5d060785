import { request, type Agent } from 'node:http'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'
import type { Server } from './workerd.ts'

export interface Ask {
  readonly method: string
  readonly params: { readonly name?: string; readonly uri?: string; readonly arguments?: object }
  /** What a right answer contains. */
  readonly expected: string
  readonly path?: string
  readonly token?: string
  /** Revision 2025-06-18, as a client that has no session sends it. */
  readonly legacy?: boolean
}

/** A request as it is sent, made once: what it costs to make is no part of what is measured. */
export interface Message {
  readonly path: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

/** What a tool of {@link createTools} is asked, and the list of them. */
export const toolAsks = {
  call: {
    method: 'tools/call',
    params: { name: 'tool_0', arguments: { item: 'whisks', count: 3, place: 'Ulm' } },
    expected: '3 whisks to Ulm',
  },
  list: { method: 'tools/list', params: {}, expected: '"result"' },
} as const satisfies Record<string, Ask>

export function toMessage({ method, params, path = '/mcp', token, legacy = false }: Ask): Message {
  const body = legacy
    ? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    : toModernBody(method, params)
  return {
    path,
    body,
    headers: {
      ...(legacy ? legacyHeaders : toModernHeaders(method, params)),
      ...(!legacy && params.uri !== undefined && { 'Mcp-Name': params.uri }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      'Content-Length': Buffer.byteLength(body),
    },
  }
}

const legacyHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-06-18',
}

export interface Answer {
  readonly status: number
  readonly text: string
}

export function send(
  { port }: Server,
  { path, headers, body }: Message,
  agent: Agent,
): Promise<Answer> {
  return new Promise((done, failed) => {
    const options = { host: '127.0.0.1', port, path, method: 'POST', headers, agent }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => done({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', failed).end(body)
  })
}

/** What is wrong with an answer: what a refusal costs is not worth knowing. */
export function findFault({ expected }: Ask, { status, text }: Answer): string | null {
  if (status === 200 && text.includes(expected)) return null
  return `${status}: ${text.slice(0, 200)}`
}
