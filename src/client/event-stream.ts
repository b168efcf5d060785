import { ClientError } from './client-error.ts'

/** The longest response, and the longest event of a stream: what comes is kept in memory. */
export const maxBytes: number = 32 * 1024 * 1024

/**
 * Reads a body as text, piece by piece. Whoever stops reading closes the connection.
 *
 * @throws the reason of the signal when it aborts.
 */
export async function* readText(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  // not left to fetch: one that calls a Worker directly knows nothing of the body that it returned
  const stop = (): void => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read in order
      const { value, done } = await reader.read()
      signal.throwIfAborted()
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    signal.removeEventListener('abort', stop)
    // this is how a request is cancelled; a body that is read or broken is not changed by it
    stop()
  }
}

/**
 * Reads the `data` of server-sent events (HTML, "Server-sent events"). Comments, events of other types than
 * `message`, events without data and one that the end cuts off are skipped.
 *
 * @throws {ClientError} for an event that is too long.
 */
export async function* readEventData(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = []
  let type = ''
  let size = 0
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0 && (type === '' || type === 'message')) {
        const event = data.join('\n')
        if (event !== '') yield event
      }
      data = []
      type = ''
      size = 0
      continue
    }
    const [, field, value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? []
    if (field === 'data') {
      data.push(value)
      size += value.length + 1
    }
    if (size > maxBytes) throw createTooLong()
    if (field === 'event') type = value
  }
}

/** Lines end with CR, LF or both. The last line is complete only if it has an end. */
async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = []
  let size = 0
  let endedWithReturn = false
  for await (const chunk of chunks) {
    if (chunk === '') continue
    // the second half of a CR LF that two chunks share
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    endedWithReturn = chunk.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    const last = lines.pop() ?? ''
    for (const line of lines) {
      yield pieces.join('') + line
      pieces = []
      size = 0
    }
    pieces.push(last)
    size += last.length
    if (size > maxBytes) throw createTooLong()
  }
}

export function createTooLong(): ClientError {
  return new ClientError('invalid', 'The response is longer than 32 MiB. It was not read further.')
}
