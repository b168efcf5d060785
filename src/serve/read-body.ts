import type { Failure } from '../protocol/failure.ts'
import { fail } from '../protocol/outcome.ts'
import { concatBytes } from '../util/bytes.ts'

type Failed = { readonly kind: 'failure'; readonly failure: Failure }

const limit = 1_048_576 // bytes, 1 MiB

const tooLarge = fail({ kind: 'body-too-large', limit })
const brokenOff = fail({ kind: 'unparsable', why: 'the body ended too early.' })
const notUtf8 = fail({ kind: 'unparsable', why: 'the body is not UTF-8.' })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Reads a body of at most 1 MiB as UTF-8 text, without a byte order mark. */
export async function readBody(request: Request): Promise<string | Failed> {
  const length = request.headers.get('Content-Length')
  if (length !== null && Number(length) > limit) return tooLarge
  let bytes: Uint8Array | ArrayBuffer | null
  try {
    // a body with a Content-Length ends there, and reading it at once is much faster than its
    // stream
    bytes = length === null ? await readChunks(request.body) : await request.arrayBuffer()
  } catch {
    // the client disconnected: this outcome reaches no client, but an exception would reach the log
    return brokenOff
  }
  return bytes === null ? tooLarge : decode(bytes)
}

function decode(bytes: Uint8Array | ArrayBuffer): string | Failed {
  try {
    // not request.text(), which replaces invalid bytes by U+FFFD
    return utf8.decode(bytes)
  } catch {
    return notUtf8
  }
}

/** Returns the bytes of a stream; `null` if there are too many. */
async function readChunks(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // leaving the loop cancels the stream
    if (size > limit) return null
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}
