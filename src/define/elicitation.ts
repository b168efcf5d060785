import { readElicitResult } from '../protocol/input-request.ts'
import { readFormAnswer } from '../schema/form-answer.ts'
import { toFormSchema } from '../schema/form-schema.ts'
import type { OutputOf, Schema, Wrapped } from '../schema/standard-schema.ts'
import type { AskedQuestion } from './question.ts'

/** The answer to a form: its content, or with `declined: 'tell'` the action of the user. */
export type FormAnswer<S extends Schema, Options extends AskOptions> = Told<
  Options,
  { readonly action: 'accept'; readonly content: OutputOf<S> },
  OutputOf<S>
>

/**
 * Asks the user to fill in a form. The schema is a flat object of strings, numbers, booleans and
 * choices; a schema without fields asks for a plain yes. Never ask for passwords, keys or card
 * numbers in a form, because the client and its model see them: use {@link link}.
 *
 * If the message or the schema changes between two rounds, the user is asked again. The
 * specification's page is client/elicitation.
 *
 * @throws {TypeError} when a form cannot carry the schema; the message names the field and why.
 * @example form('Pay for 3 items?', z.object({ pay: z.boolean() }))
 */
export function form<S extends Schema, const Options extends AskOptions = AskOptions>(
  message: string,
  schema: S & Wrapped<S>,
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
      // clients omit the content of a form without fields
      const read = await readFormAnswer(schema, result.content ?? {})
      if (!read.ok) return { kind: 'invalid', why: read.why }
      const content = read.value
      return { kind: 'answered', answer: tell ? { action, content } : content }
    },
  }
}

/** The answer to a link: `undefined`, or with `declined: 'tell'` the action of the user. */
export type LinkAnswer<Options extends AskOptions> = Told<
  Options,
  { readonly action: 'accept' },
  undefined
>

/**
 * Asks the user to open a page, for what must not pass through the client: keys, payments, logins
 * elsewhere. An answer means that the user agreed to open the page, not that anything was done there:
 * check that in `run`. The page must authenticate the user itself, and the URL must not grant access
 * or contain personal data.
 *
 * The URL is part of the question, so it must be the same in every round: with a new token each time
 * no answer can match, and the call ends with an error. Keep the token with {@link carry}.
 * The specification's page is client/elicitation, "URL Mode Elicitation Requests".
 *
 * @throws {TypeError} unless the URL is `https:`, or `http:` on localhost, and has no password.
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

function toLink(link: string | URL): string {
  const text = String(link)
  const url = URL.parse(text)
  if (url === null) {
    throw new TypeError(`"${text}" is not a URL. Write the whole URL of the page.`)
  }
  const { protocol, hostname, username, password } = url
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.test(hostname))) {
    throw new TypeError(
      `The URL begins with ${protocol}, which clients may refuse to open. ` +
        'Use https:, or http: on localhost.',
    )
  }
  if (username !== '' || password !== '') {
    throw new TypeError(
      `The URL on ${url.host} contains a user name or password, which anyone who sees it could use. ` +
        'Let the page authenticate the user.',
    )
  }
  return url.href
}

/** How a question treats unusual answers. */
export interface AskOptions {
  /**
   * `'tell'` passes a declined or cancelled question to `run` as an answer. By default it ends the
   * call with an error result.
   */
  readonly declined?: 'tell'
  /**
   * `'accept'` accepts an answer in the first request, or without the state that Helve sealed when it
   * asked. A client can invent such an answer without showing the question to the user. This is safe
   * only for data that the caller may choose freely, like an argument of the tool; never for consent.
   */
  readonly unasked?: 'accept'
}

/** The type of an answer, depending on `declined`. */
type Told<Options extends AskOptions, Accepted, Answer> = Options extends {
  readonly declined: 'tell'
}
  ? Accepted | { readonly action: 'decline' | 'cancel' }
  : Answer
