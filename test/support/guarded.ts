import { join } from 'node:path'
import { mintToken } from '../guarded/mint.ts'
import { readSigningSecret } from '../guarded/signing-secret.ts'
import { toModernRequest } from './modern-request.ts'
import { startWranglerDev, type WranglerDev } from './wrangler-dev.ts'

/** The guarded fixture, as its tests reach it. */
export interface Guarded extends Pick<WranglerDev, 'url' | 'log' | 'stop'> {
  /** The MCP endpoint. */
  readonly endpoint: string
  /** The secret of its Worker that must never go out. */
  readonly secret: string
  /** Makes a caller; one without scopes may do what needs none. */
  readonly caller: (subject: string, scopes?: string, seconds?: number) => Promise<GuardedCaller>
  /** Who brings no token. */
  readonly nobody: GuardedCaller
  /** Who brings this token. */
  readonly bearer: (token: string) => GuardedCaller
}

/** Somebody who asks the fixture. */
export interface GuardedCaller {
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly ask: (method: string, params?: Params) => Promise<GuardedReply>
  /** Calls a tool, as a client that can answer forms. */
  readonly call: (name: string, input?: object, round?: object) => Promise<GuardedReply>
}

interface Params {
  readonly name?: string
  readonly uri?: string
  readonly [key: string]: unknown
}

export interface GuardedReply {
  readonly status: number
  /** The challenge; empty where there is none. */
  readonly challenge: string
  /** The whole body as it came. */
  readonly text: string
  // a reply is whatever came: tests look into it and fail where it is something else
  readonly body: ReturnType<typeof JSON.parse>
}

/** Starts the fixture with `wrangler dev`, where it issues tokens and verifies them. */
export async function startGuarded(
  options: { optional?: boolean; introspection?: string } = {},
): Promise<Guarded> {
  const secret = await readSigningSecret()
  const server = await startWranglerDev({
    cwd: join(import.meta.dirname, '../guarded'),
    vars: (url) => ({
      ISSUER: url,
      GUARDED_OPTIONAL: options.optional === true ? '1' : '',
      INTROSPECTION: options.introspection ?? '',
    }),
  })
  const endpoint = `${server.url}/mcp`
  return {
    ...server,
    endpoint,
    secret,
    nobody: createCaller(endpoint, 'nobody', {}),
    bearer: (token) => createCaller(endpoint, token, { Authorization: `Bearer ${token}` }),
    async caller(subject, scopes = '', seconds = 600) {
      const token = await mintToken(secret, server.url, { subject, scopes, seconds })
      return createCaller(endpoint, subject, { Authorization: `Bearer ${token}` })
    },
  }
}

function createCaller(
  endpoint: string,
  subject: string,
  headers: Readonly<Record<string, string>>,
): GuardedCaller {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  const ask: GuardedCaller['ask'] = async (method, params = {}) => {
    const { name, uri = null } = params
    // whatever takes long would else come as a stream
    const json = { Accept: 'application/json', ...(name === undefined && { 'Mcp-Name': uri }) }
    const changes = { meta, headers: { ...json, ...headers } }
    const response = await fetch(toModernRequest(endpoint, method, params, changes))
    const text = await response.text()
    const challenge = response.headers.get('WWW-Authenticate') ?? ''
    return { status: response.status, challenge, text, body: JSON.parse(text) }
  }
  return {
    subject,
    headers,
    ask,
    call: (name, input = {}, round = {}) => ask('tools/call', { name, arguments: input, ...round }),
  }
}
