import { setTimeout } from 'node:timers/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { listen } from './free-port.ts'

/** An authorization server that is asked about tokens (RFC 7662). */
export interface IntrospectionServer {
  readonly url: string
  /** What it says of tokens; it knows no others. */
  readonly tokens: Map<string, object>
  /** The tokens that it was asked about, each with the credentials of who asked. */
  readonly asked: { readonly token: string; readonly authorization: string }[]
  /** Whether it is out of order. */
  isDown: boolean
  /** How long it takes to answer. */
  delayMs: number
  readonly stop: () => void
}

export async function startIntrospectionServer(): Promise<IntrospectionServer> {
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const token = new URLSearchParams(body).get('token') ?? ''
      made.asked.push({ token, authorization: request.headers.authorization ?? '' })
      await setTimeout(made.delayMs)
      response.writeHead(made.isDown ? 503 : 200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(made.tokens.get(token) ?? { active: false }))
    })
  })
  const port = await listen(server)
  const made: IntrospectionServer = {
    url: `http://127.0.0.1:${port}/introspect`,
    tokens: new Map(),
    asked: [],
    isDown: false,
    delayMs: 0,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return made
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
