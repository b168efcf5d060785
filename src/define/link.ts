import { readElicitResult } from '../wire/elicit-result.ts'
import type { AskOptions, Told } from './ask-options.ts'
import type { AskedQuestion } from './question.ts'

/** What a link answers: nothing but consent, or with `declined: 'tell'` what the user did. */
export type LinkAnswer<Options extends AskOptions> = Told<
  Options,
  { readonly action: 'accept' },
  undefined
>

/**
 * Asks the user to open a page, for what must not pass through the client: keys, payments, logins
 * elsewhere. An answer means that the user agreed to open it, not that anything was done there: look
 * that up in `run`. The page must find out by itself who opens it, and the URL must not let anybody
 * in or say anything about the user.
 *
 * The URL is part of the question and so must be the same in every round: with a token that is made
 * afresh each time, no answer can count, and the call ends with an error. Keep it with {@link carry}.
 * The specification's page is client/elicitation, "URL Mode Elicitation Requests".
 *
 * @throws {TypeError} unless the URL is `https:`, or `http:` on this machine, without a password.
 */
export function link<const Options extends AskOptions = AskOptions>(
  message: string,
  url: string | URL,
  options?: Options,
): AskedQuestion<LinkAnswer<Options>> {
  const tell = options?.declined === 'tell'
  return {
    request: {
      method: 'elicitation/create',
      params: { mode: 'url', message, url: toLink(url) },
    },
    capability: 'link',
    unasked: options?.unasked ?? 'ignore',
    read(response) {
      const result = readElicitResult(response)
      if (result === null) return { kind: 'invalid' }
      const { action } = result
      if (tell) return { kind: 'answered', answer: { action } }
      return action === 'accept'
        ? { kind: 'answered', answer: undefined }
        : { kind: 'declined', action }
    },
  }
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

function toLink(text: string | URL): string {
  const url = URL.parse(text)
  if (url === null) {
    throw new TypeError(`"${String(text)}" is not a URL. Give the whole address of the page.`)
  }
  const { protocol, hostname, username, password } = url
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.test(hostname))) {
    throw new TypeError(
      `The link begins with ${protocol}, which a client may not open. ` +
        'Use https:, or http: on localhost.',
    )
  }
  if (username !== '' || password !== '') {
    throw new TypeError(
      `The URL on ${url.host} has a user name or password in it, and whoever sees it could use it. ` +
        'Let the page ask who the user is.',
    )
  }
  return url.href
}
