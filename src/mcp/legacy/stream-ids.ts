import type { StreamIds } from '../../out/stream.ts'
import { isTextOrInteger } from '../../protocol/json.ts'
import type { RequestId } from '../../protocol/message.ts'
import { readBase64Url, toBase64Url } from '../../util/bytes.ts'
import { toChecksum } from '../../util/digest.ts'

/** Characters of an id that is repeated in a header. A request with a longer one cannot be told apart. */
const maxIdLength = 512

/** The least milliseconds after which a client connects again; a random part is added. */
const retryMs = 1_000

/** The part of a call that its stream is told from others by. */
interface StreamedCall {
  readonly id: RequestId | undefined
  readonly session: { readonly nonce: string } | null
  readonly callerDigest: string | null
}

/** What a client says about the stream that it lost. */
type LostStream =
  /** It ended before the response of this request. */
  | { readonly kind: 'cut'; readonly id: RequestId }
  /** It was complete. */
  | { readonly kind: 'over' }

/**
 * Returns the ids of the events of a stream (2025-11-25, basic/transports). They are not secret and
 * not sealed: a forged one only makes the server tell its client about the client's own request.
 */
export function toStreamIds(call: StreamedCall): StreamIds {
  const stream = `${toOwner(call)}.${crypto.randomUUID()}`
  const request = call.id === undefined ? '' : JSON.stringify(call.id)
  const canTell = request !== '' && request.length <= maxIdLength
  return {
    opening: canTell ? `cut.${stream}.${toBase64Url(new TextEncoder().encode(request))}` : null,
    closing: `over.${stream}`,
    // random, so that not all clients of a server connect again at once
    retryMs: retryMs + Math.floor(Math.random() * retryMs),
  }
}

/** Reads `Last-Event-ID`; `null` for a client that begins, and for a stream of someone else. */
export function readLostStream(
  call: StreamedCall & { readonly headers: Headers },
): LostStream | null {
  const [kind, owner, , request] = (call.headers.get('Last-Event-ID') ?? '').split('.')
  // its owner is not compared: a client that has ended its session no longer sends the id of it
  if (kind === 'over') return { kind }
  if (kind !== 'cut' || owner !== toOwner(call) || request === undefined) return null
  const id = readRequestId(request)
  return id === null ? null : { kind: 'cut', id }
}

/** Whom the stream belongs to: the session, or the caller of a client that has none. */
function toOwner({ session, callerDigest }: StreamedCall): string {
  return toChecksum(session?.nonce ?? callerDigest ?? '').toString(36)
}

function readRequestId(text: string): RequestId | null {
  if (text.length > maxIdLength * 8) return null
  const bytes = readBase64Url(text)
  if (bytes === null) return null
  try {
    const id: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isTextOrInteger(id) ? id : null
  } catch {
    return null
  }
}
