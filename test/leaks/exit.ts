import { vi } from 'vitest'
import type { Tool, WorkerOptions } from 'helve'
import type { Made } from '../spec/registry.ts'
import { createServer, type Reply } from '../spec/server.ts'
import type { Changes } from '../support/modern-request.ts'
import { createReplyReader } from '../support/reply-reader.ts'
import type { PoisonName } from './poisons.ts'

// what left is whatever came: a row looks into it and fails where it is something else
type Json = ReturnType<typeof JSON.parse>

/** A way out of the server. */
export interface Exit {
  readonly name: string
  /** Has a server say the text here. */
  readonly say: (text: string) => Promise<Sent>
  /** Finds in what left the place where the text stands. */
  readonly read: (left: Left) => unknown
  /** Where the text leaves; in the reply by default. */
  readonly into?: 'log'
  /** What can come here; every poison by default. */
  readonly takes?: readonly PoisonName[]
  /** Whose text it is. What clients send with half a surrogate pair is refused before anything else. */
  readonly by?: 'client'
  /** Whether nothing of the text has to leave here: a sentence that says no more does as well. */
  readonly isSilent?: boolean
  /** Other ways to write what is left, which show as plain characters what hides in a text. */
  readonly spell?: (text: string) => string
}

/** What a row gets back: a reply, or text that left in another way. */
export type Sent = Pick<Reply, 'status' | 'headers' | 'text'>

/** All that left the server. */
export interface Left {
  readonly status: number
  readonly headers: Headers
  /** The messages of the reply, in their order. */
  readonly messages: readonly Json[]
  /** The last of them: the response. */
  readonly message: Json
  /** What was written to the console. */
  readonly lines: readonly unknown[]
}

/** Reads a reply, and what was written to the console meanwhile. */
export async function collect(say: () => Promise<Sent>): Promise<Left> {
  const lines: unknown[] = []
  const spies = (['debug', 'log', 'info', 'warn', 'error'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((...line) => void lines.push(...line)),
  )
  try {
    const { status, headers, text } = await say()
    const messages = readMessages(headers.get('Content-Type') ?? '', text)
    return { status, headers, messages, message: messages.at(-1), lines }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

function readMessages(contentType: string, text: string): readonly Json[] {
  if (text === '') return []
  const reader = createReplyReader(contentType)
  return [...reader.take(text), ...reader.finish()].flatMap((piece) =>
    piece.kind === 'message' ? [piece.message] : [],
  )
}

/** A server that has this, to be asked once. */
export function serve(made: Readonly<Record<string, Made>>, options: Partial<WorkerOptions> = {}) {
  // a mask in a URI is not part of any URI
  return createServer(options, made, {}, { isChecked: false })
}

/** Calls a tool on a server that has only this one. */
export function callTool(
  say: Tool,
  input: object = {},
  changes: Changes = {},
  options: Partial<WorkerOptions> = {},
): Promise<Reply> {
  return serve({ say }, options).ask('tools/call', { name: 'say', arguments: input }, changes)
}

/** A text as `Mcp-Name` carries it (basic/transports/streamable-http, "Value Encoding"). */
export function toHeaderText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return `=?base64?${new TextEncoder().encode(text).toBase64()}?=`
}

/** Asks for what has a name or a URI, with the header that repeats it. */
export function named(text: string): Changes {
  return { headers: { 'Mcp-Name': toHeaderText(text) } }
}

/** A text as JSON prints it inside of a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
