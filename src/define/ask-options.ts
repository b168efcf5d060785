/** How a question deals with answers out of the ordinary. */
export interface AskOptions {
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
export type Told<Options extends AskOptions, Accepted, Answer> = Options extends {
  readonly declined: 'tell'
}
  ? Accepted | { readonly action: 'decline' | 'cancel' }
  : Answer
