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
  /** A revision that begins with `initialize`; by default 2026-07-28. */
  readonly legacy?: '2025-06-18' | '2025-11-25'
  /** The session id that `initialize` returned; some servers have none. */
  readonly session?: string
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

export function toMessage({ method, params, path = '/mcp', token, legacy, session }: Ask): Message {
  const isModern = legacy === undefined
  const body = isModern
    ? toModernBody(method, params)
    : JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return {
    path,
    body,
    headers: {
      ...(isModern ? toModernHeaders(method, params) : toLegacyHeaders(legacy, session)),
      ...(isModern && params.uri !== undefined && { 'Mcp-Name': params.uri }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      'Content-Length': Buffer.byteLength(body),
    },
  }
}

function toLegacyHeaders(version: string, session?: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': version,
    ...(session !== undefined && { 'Mcp-Session-Id': session }),
  }
}

/** Sends `initialize`, and returns the session id. */
export async function beginSession({ port }: Server, version: string): Promise<string> {
  const clientInfo = { name: 'bench', version: '1' }
  const params = { protocolVersion: version, capabilities: { roots: {} }, clientInfo }
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: toLegacyHeaders(version),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await response.text()
  const session = response.headers.get('Mcp-Session-Id')
  if (session === null) throw new Error(`initialize at ${version} returned no session id.`)
  return session
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
