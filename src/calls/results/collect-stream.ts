import { concatBytes } from '../../kit/concat-bytes.ts'
import { tooLarge } from './size-limit.ts'

/**
 * Collects a stream's bytes, up to `maxBytes`. Beyond that, and when `signal` aborts, the stream is
 * cancelled, so that nothing upstream goes on sending to nobody.
 *
 * @throws {ToolError} when there are more bytes than that.
 * @throws {TypeError} when a chunk is not bytes.
 */
export async function collectStream(
  what: string,
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // not pipeTo: in workerd its signal is not heard while the stream is silent
  const reader: ReadableStreamDefaultReader<unknown> = stream.getReader()
  // nobody is left to be told of a stream that cannot be cancelled
  const cancel = (reason: unknown): void => void reader.cancel(reason).catch(() => {})
  const leave = (): void => cancel(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, value } = await reader.read()
      if (done) return concatBytes(chunks)
      if (!(value instanceof Uint8Array)) {
        throw new TypeError(`${what} returned a stream of something else than bytes.`)
      }
      length += value.byteLength
      if (length > maxBytes) throw tooLarge(what, maxBytes)
      chunks.push(value)
    }
  } catch (error) {
    cancel(error)
    throw error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
