import type { Implementation } from '../protocol/content.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { LogLevel } from '../protocol/meta.ts'
import { ClientError } from './client-error.ts'
import type { Fetch } from './connection.ts'
import type { LogMessage, ProgressUpdate } from './notifications.ts'
import type { InputAnswers } from './questions.ts'

export interface ClientOptions {
  /** The MCP endpoint, such as `https://shop.example.com/mcp`. */
  readonly url: string | URL
  /** The bearer token, or a function that is called for each request. */
  readonly token?: string | (() => string | Promise<string>)
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The global `fetch` by default. A test passes a function that calls the Worker. */
  readonly fetch?: Fetch
  /** The name and version of the client, for the server's logs. */
  readonly info?: Implementation
  /** Answers what the server asks, such as forms. Without it the server is told that nobody can be asked. */
  readonly answers?: InputAnswers
  /**
   * What can be asked (basic/index, "clientCapabilities"). By default everything if there are `answers`, but
   * no tools in sampling.
   */
  readonly capabilities?: JsonObject
  /** How long to wait for each response, in milliseconds. By default 5 minutes. */
  readonly timeout?: number
  /** Receives a sentence about each tool that is left out of a list since its definition is invalid. */
  readonly onWarning?: (sentence: string) => void
}

export interface RequestOptions {
  /** Cancels the request, by closing its connection. */
  readonly signal?: AbortSignal
  /** How long to wait for each response, in milliseconds. */
  readonly timeout?: number
}

/** Of what can ask, report progress and log: a tool, a resource or a prompt. */
export interface CallOptions extends RequestOptions {
  /** Answers what is asked, in place of the `answers` of the client. */
  readonly answers?: InputAnswers
  readonly onProgress?: (update: ProgressUpdate) => void
  readonly onLog?: (message: LogMessage) => void
  /** The lowest level of the messages for `onLog`, `debug` by default. */
  readonly logLevel?: LogLevel
}

/** The values of the options that requests need, checked. */
export interface ClientSettings {
  readonly url: string
  readonly send: Fetch
  readonly info: Implementation
  readonly timeout: number
  readonly answers: InputAnswers | undefined
  readonly capabilities: JsonObject | undefined
  /** Makes the headers that each request has. */
  readonly toHeaders: () => Promise<Headers>
}

/** @throws {ClientError} for a URL or a header that cannot be used. */
export function readClientOptions(options: ClientOptions): ClientSettings {
  const { token, headers = {}, answers, capabilities, timeout = 300_000 } = options
  const shared = toSharedHeaders(headers)
  return {
    url: readEndpoint(options.url),
    send: options.fetch ?? ((request) => fetch(request)),
    info: options.info ?? { name: 'helve', version: '0.1.0' },
    timeout,
    answers,
    capabilities,
    async toHeaders() {
      const all = new Headers(shared)
      const value = typeof token === 'function' ? await token() : token
      if (value !== undefined) all.set('Authorization', `Bearer ${readToken(value)}`)
      return all
    },
  }
}

function readEndpoint(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw unsendable(`${JSON.stringify(String(given))} is not an http: or https: URL.`)
  }
  // fetch refuses such URLs with a message that has the password in it
  if (url.username !== '' || url.password !== '') {
    throw unsendable(
      'The URL has a user name or a password. Pass a token or a header in its place.',
    )
  }
  return url.href
}

function toSharedHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value)
    } catch {
      // not the value, which may be a secret
      throw unsendable(
        `${JSON.stringify(name)} is not a header, or its value has other characters.`,
      )
    }
  }
  return headers
}

function readToken(token: string): string {
  if (/^[\x21-\x7E]+$/.test(token)) return token
  throw unsendable('The token is empty, or has spaces, line breaks or other characters.')
}

export function unsendable(message: string): ClientError {
  return new ClientError('unsendable', message)
}
