/**
 * One thing that a reply brings: a JSON-RPC message, a comment that keeps the stream alive, or the
 * event with an id and nothing else that a stream of revision 2025-11-25 begins with.
 */
export type Piece =
  | { readonly kind: 'comment' }
  | { readonly kind: 'priming'; readonly id: string }
  | { readonly kind: 'message'; message: unknown }

/** Reads the body of a reply as it comes. */
export interface ReplyReader {
  readonly take: (chunk: string) => readonly Piece[]
  readonly finish: () => readonly Piece[]
}

/** Makes the reader for a reply of this `Content-Type`. */
export function createReplyReader(contentType: string): ReplyReader {
  return contentType === 'text/event-stream' ? createEventReader() : createJsonReader()
}

/**
 * Reads events as strictly as the transport promises them: one comment or one `data:` line each. For
 * clients of earlier revisions, an event may have an id and a time to wait before they connect again.
 */
function createEventReader(): ReplyReader {
  let rest = ''
  return {
    take(chunk) {
      const events = (rest + chunk).split('\n\n')
      rest = events.pop() ?? ''
      return events.map(toPiece)
    },
    finish() {
      if (rest !== '') throw new SyntaxError(`The stream ended within an event: ${rest}`)
      return []
    },
  }
}

function toPiece(event: string): Piece {
  if (/^:.*$/.test(event)) return { kind: 'comment' }
  const [, id, json] = /^(?:id: (.+)\n)?(?:retry: \d+\n)?data: ?(.*)$/.exec(event) ?? []
  if (json === undefined) throw new SyntaxError(`An event of one line was due, not: ${event}`)
  if (json === '' && id !== undefined) return { kind: 'priming', id }
  return { kind: 'message', message: JSON.parse(json) }
}

function createJsonReader(): ReplyReader {
  let text = ''
  return {
    take(chunk) {
      text += chunk
      return []
    },
    finish: () => [{ kind: 'message', message: JSON.parse(text) }],
  }
}
