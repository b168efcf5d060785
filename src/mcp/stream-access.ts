import type { Delivery } from '../objects/hub-listener.ts'
import { hasScopes } from '../protocol/caller.ts'
import type { Failure } from '../protocol/failure.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { ServerNotification } from '../protocol/message.ts'
import type { Call } from './call.ts'
import { toVisibility } from './visibility.ts'

/** The spellings of each URI that the client subscribed to, by the key of its resource. */
export type Spellings = ReadonlyMap<string, readonly string[]>

/** Finds the resources that the caller can see. No other update may be sent. */
export async function findReadable(uris: readonly string[], call: Call): Promise<Spellings> {
  const readable = await Promise.all(
    uris.map(async (uri) => {
      const found = call.settings.entries.findResource(uri)
      const isVisible = found !== null && (await toVisibility(found.entry, call)) === 'visible'
      return isVisible ? [{ key: found.key, uri }] : []
    }),
  )
  const byKey = Map.groupBy(readable.flat(), ({ key }) => key)
  return new Map(Array.from(byKey, ([key, found]) => [key, found.map(({ uri }) => uri)]))
}

/** Milliseconds after which the access of an open stream is checked again, at the latest. */
const checkMs = 60_000

/** How long a stream goes on while its credentials cannot be checked. */
const maxUncheckedMs = 300_000

/**
 * What the caller of an open stream may see. A stream outlives the check of its request, so it is
 * repeated with the same request: a token can be revoked or lose a scope, a resource can be hidden.
 */
export class StreamAccess {
  readonly #call: Call
  #uris: readonly string[]
  #visible: Spellings
  #checkedAt = Date.now()
  #isChecking = false

  /** `visible` are the resources that the caller can see now. */
  constructor(call: Call, visible: Spellings) {
    this.#call = call
    this.#uris = [...visible.values()].flat()
    this.#visible = visible
  }

  /**
   * Takes over what a session has subscribed to in the meantime. What is hidden now may be shown
   * again later.
   */
  replace(uris: readonly string[], visible: Spellings): void {
    this.#uris = uris
    this.#visible = visible
  }

  /** Converts a delivery to notifications, without those of resources that the caller cannot see. */
  toNotifications({ lists, uris }: Delivery, _meta?: JsonObject): readonly ServerNotification[] {
    const params = _meta && { _meta }
    return [
      ...lists.map((kind) => ({
        method: `notifications/${kind}/list_changed`,
        ...(params && { params }),
      })),
      // as the client wrote them, since it knows no other spelling
      ...uris
        .flatMap((key) => this.#visible.get(key) ?? [])
        .map((uri) => ({ method: 'notifications/resources/updated', params: { ...params, uri } })),
    ]
  }

  /** Checks until the returned function is called, and passes on why the stream must end. */
  check(end: (why: string) => void): () => void {
    const { settings, session } = this.#call
    // a session may subscribe to more at any time
    if (settings.guard === null && this.#uris.length === 0 && session === null) return () => {}
    // not all streams of a deploy at once
    const ms = checkMs * (0.75 + Math.random() / 4)
    const timer = setInterval(() => void this.#checkNow(end), ms)
    return () => clearInterval(timer)
  }

  async #checkNow(end: (why: string) => void): Promise<void> {
    // an outage of the authenticator must not end all streams, but a stream must not outlive its token for long
    if (Date.now() - this.#checkedAt >= maxUncheckedMs) end(uncheckedText)
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      const access = await readmit(this.#call)
      if (access === 'lost') return end(lostText)
      if (access === 'unknown') return
      this.#checkedAt = Date.now()
      const uris = this.#uris
      const visible = await findReadable(uris, this.#call)
      // what was subscribed to in the meantime must not be lost
      if (uris === this.#uris) this.#visible = visible
    } catch (error) {
      this.#call.log.error(this.#call.method || 'notifications', error)
    } finally {
      this.#isChecking = false
    }
  }
}

/** Checks the credentials of a request that is some time old, and takes over what they allow now. */
async function readmit(call: Call): Promise<'kept' | 'lost' | 'unknown'> {
  const { request, execution, caller } = call
  const { guard } = call.settings
  if (guard === null || request === null || execution === null) return 'kept'
  const admission = await guard.admit(request, call.env, execution, call.log)
  if (admission.kind === 'refused') {
    return temporary.has(admission.failure.kind) ? 'unknown' : 'lost'
  }
  const isSame = admission.digest === call.callerDigest
  if (!isSame || !hasScopes(admission.caller, caller?.scopes ?? [])) return 'lost'
  call.caller = admission.caller
  return 'kept'
}

/** Failures that say nothing about the credentials. */
const temporary: ReadonlySet<Failure['kind']> = new Set([
  'authentication-unavailable',
  'rate-limited',
])
const lostText =
  'The credentials of this stream are no longer valid, or have lost a scope. Listen again.'
const uncheckedText = 'The credentials could not be checked for five minutes. Listen again.'
