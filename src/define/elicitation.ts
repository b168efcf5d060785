import { readElicitResult } from '../protocol/input-request.ts'
import { readFormAnswer } from '../schema/form-answer.ts'
import { toFormSchema } from '../schema/form-schema.ts'
import type { OutputOf, Schema } from '../schema/standard-schema.ts'
import type { AskedQuestion } from './question.ts'

/** What a form answers: its content, or with `declined: 'tell'` what the user did. */
type FormAnswer<S extends Schema, Options extends AskOptions> = Told<
  Options,
  { readonly action: 'accept'; readonly content: OutputOf<S> },
  OutputOf<S>
>

/**
 * Asks the user to fill in a form. The schema is a flat object of strings, numbers, booleans and
 * choices; a schema without fields asks for a plain yes. Never ask for passwords, keys or card
 * numbers this way, as the client and its model see them: use {@link link}.
 *
 * The message and the schema are the question: when either changes between two rounds, the user is
 * asked again. The specification's page is client/elicitation.
 *
 * @throws {TypeError} when a form cannot carry the schema; the message names the field and why.
 * @example form('Pay for 3 items?', z.object({ pay: z.boolean() }))
 */
export function form<S extends Schema, const Options extends AskOptions = AskOptions>(
  message: string,
  schema: S,
  options?: Options,
): AskedQuestion<FormAnswer<S, Options>> {
  const tell = options?.declined === 'tell'
  return {
    request: {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: toFormSchema(schema) },
    },
    capability: 'form',
    unasked: options?.unasked ?? 'ignore',
    async read(response) {
      const result = readElicitResult(response)
      if (result === null) return { kind: 'invalid' }
      const { action } = result
      if (action !== 'accept') {
        return tell ? { kind: 'answered', answer: { action } } : { kind: 'declined', action }
      }
      // clients leave the content of a form without fields away
      const read = await readFormAnswer(schema, result.content ?? {})
      if (read === null) return { kind: 'invalid' }
      const content = read.value
      return { kind: 'answered', answer: tell ? { action, content } : content }
    },
  }
}

/** What a link answers: nothing but consent, or with `declined: 'tell'` what the user did. */
type LinkAnswer<Options extends AskOptions> = Told<
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

/** How a question deals with answers out of the ordinary. */
interface AskOptions {
  /**
   * `'tell'` hands a declined or cancelled question to `run` as an answer. Otherwise it ends the
   * call with an error result that says so.
   */
  readonly declined?: 'tell'
  /**
   * `'accept'` takes an answer that came with the first request, or without the state that Helve
   * sealed when it asked. Any client can make such an answer up without showing the question to
   * anyone. It is safe where the answer is only data that the caller may choose freely, like an
   * argument of the tool; never for consent, and never where what was asked matters.
   */
  readonly unasked?: 'accept'
}

/** What becomes of an answer when `declined: 'tell'` is set. */
type Told<Options extends AskOptions, Accepted, Answer> = Options extends {
  readonly declined: 'tell'
}
  ? Accepted | { readonly action: 'decline' | 'cancel' }
  : Answer
