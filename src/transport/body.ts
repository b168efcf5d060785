import { concatBytes } from '../kit/concat-bytes.ts'
import { refuse, type Refusal } from './answer.ts'

const limit = 1_048_576 // bytes, 1 MiB

const tooLarge = refuse({ kind: 'body-too-large', limit })
const brokenOff = refuse({ kind: 'unparsable', why: 'the body broke off before its end.' })
const notUtf8 = refuse({ kind: 'unparsable', why: 'the body is not UTF-8.' })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Reads a body of at most 1 MiB as UTF-8 text. A byte order mark in front is dropped. */
export async function readBody(request: Request): Promise<string | Refusal> {
  const length = request.headers.get('Content-Length')
  if (length !== null && Number(length) > limit) return tooLarge
  let bytes: Uint8Array | ArrayBuffer | null
  try {
    // a body with a length ends there, and reading it in one go costs far less than its stream
    bytes = length === null ? await readChunks(request.body) : await request.arrayBuffer()
  } catch {
    // the client went away; the answer reaches nobody, but an exception would reach the log
    return brokenOff
  }
  return bytes === null ? tooLarge : decode(bytes)
}

function decode(bytes: Uint8Array | ArrayBuffer): string | Refusal {
  try {
    // not request.text(), which would put U+FFFD where the bytes are wrong
    return utf8.decode(bytes)
  } catch {
    return notUtf8
  }
}

/** The bytes of a stream, or `null` for more than may come. */
async function readChunks(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // leaving the loop cancels the stream: no byte past the limit is kept
    if (size > limit) return null
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}
