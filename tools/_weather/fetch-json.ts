import { ToolError } from 'helve'

/**
 * Fetches JSON, which the caller must check.
 *
 * @throws {ToolError} if the service is down, refuses, or responds with something other than JSON.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await send(url, signal)
  if (!response.ok) {
    await response.body?.cancel()
    throw new ToolError(toSentence(response))
  }
  try {
    return await response.json()
  } catch (cause) {
    if (signal.aborted) throw cause
    throw toUnreadable(cause)
  }
}

/** Creates the error for the model; `cause` goes to the log. */
export function toUnreadable(cause: unknown): ToolError {
  return new ToolError(
    'The weather service sent something that cannot be read. Try again in a few minutes; if that ' +
      'fails too, tell the user that there is no forecast just now.',
    { cause },
  )
}

async function send(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal, headers: { Accept: 'application/json' } })
  } catch (cause) {
    // aborted by the time limit or the client: not a fault of the service
    if (signal.aborted) throw cause
    throw new ToolError('The weather service cannot be reached. Try again in a few minutes.', {
      cause,
    })
  }
}

function toSentence({ status, headers }: Response): string {
  if (status === 429) {
    return `The weather service has had too many requests. Try again ${toWait(headers)}.`
  }
  if (status >= 500) {
    return `The weather service is failing (HTTP ${status}). Try again in a few minutes.`
  }
  return (
    `The weather service refused the request (HTTP ${status}). Trying again will not help: tell ` +
    'the user that there is no forecast for this place.'
  )
}

function toWait(headers: Headers): string {
  const seconds = Number(headers.get('Retry-After'))
  return seconds > 0 ? `in ${seconds} seconds` : 'in a minute'
}
