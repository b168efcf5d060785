/** Narrows a notification to the callers that have all of these scopes. */
export interface Audience {
  readonly scopes: readonly string[]
}

/**
 * Tells listening clients that something changed, in every isolate (basic/patterns/subscriptions), and
 * purges what is kept of it first, so that whoever comes for the new gets no old. Each resolves when
 * the hub has taken the event, and throws when it cannot be reached.
 */
export interface Notify {
  readonly toolsChanged: (audience?: Audience) => Promise<void>
  readonly promptsChanged: (audience?: Audience) => Promise<void>
  readonly resourcesChanged: (audience?: Audience) => Promise<void>
  /** Reaches the subscribers of exactly this URI. */
  readonly resourceUpdated: (uri: string, audience?: Audience) => Promise<void>
}
