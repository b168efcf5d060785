import type { Failure } from '../protocol/failure.ts'
import { fail } from '../protocol/outcome.ts'
import { concatBytes } from '../util/bytes.ts'

type Failed = { readonly kind: 'failure'; readonly failure: Failure }

const limit = 1_048_576 // bytes, 1 MiB

/** Milliseconds for the whole body, however slowly it comes. */
const patienceMs = 30_000

const tooLarge = fail({ kind: 'body-too-large', limit })
const brokenOff = fail({ kind: 'unparsable', why: 'the body ended too early.' })
const late = fail({ kind: 'body-too-late', seconds: patienceMs / 1_000 })
const readBefore = fail({ kind: 'body-read-before' })
const notUtf8 = fail({ kind: 'unparsable', why: 'the body is not UTF-8.' })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Reads a body of at most 1 MiB as UTF-8 text, without a byte order mark. */
export async function readBody(
  request: Request,
  waitMs: number = patienceMs,
): Promise<string | Failed> {
  // a body that was read is an empty stream, or throws the error of one that broke off
  if (request.bodyUsed) return readBefore
  const length = request.headers.get('Content-Length')
  if (length !== null && Number(length) > limit) return tooLarge
  try {
    // a body with a Content-Length ends there, and reading it at once is much faster than its
    // stream
    const bytes = await (length === null
      ? readChunks(request.body, waitMs)
      : readWhole(request, waitMs))
    return bytes instanceof Uint8Array || bytes instanceof ArrayBuffer ? decode(bytes) : bytes
  } catch {
    // the client disconnected: this outcome reaches no client, but an exception would reach the log
    return request.body?.locked === true && !request.bodyUsed ? readBefore : brokenOff
  }
}

function readWhole(request: Request, waitMs: number): Promise<ArrayBuffer | Failed> {
  const reading = request.arrayBuffer()
  // not Promise.race, which needs a promise more for the timer of every request
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs, late)
    reading.then(
      (bytes) => {
        clearTimeout(timer)
        resolve(bytes)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

function decode(bytes: Uint8Array | ArrayBuffer): string | Failed {
  try {
    // not request.text(), which replaces invalid bytes by U+FFFD
    return utf8.decode(bytes)
  } catch {
    return notUtf8
  }
}

/** Returns the bytes of a stream, which it cancels if they are too many or come too late. */
async function readChunks(
  body: ReadableStream<Uint8Array> | null,
  waitMs: number,
): Promise<Uint8Array | Failed> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  let stopped: Failed | null = null
  const stop = (why: Failed): void => {
    stopped = why
    // the read that waits then ends; a stream that cannot be cancelled concerns no client any more
    reader.cancel().catch(() => {})
  }
  const timer = setTimeout(stop, waitMs, late)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, value } = await reader.read()
      if (stopped !== null) return stopped
      if (done) return concatBytes(chunks)
      size += value.byteLength
      if (size > limit) stop(tooLarge)
      else chunks.push(value)
    }
  } catch (error) {
    // a body from the network does not end its pending read when it is cancelled, but fails it
    if (stopped === null) throw error
    return stopped
  } finally {
    clearTimeout(timer)
  }
}
