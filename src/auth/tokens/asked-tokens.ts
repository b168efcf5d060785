import type { AuthContext, AuthResult } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { TooManyRefusals } from '../request/request-limit.ts'

const maxTokens = 1_000
/**
 * Milliseconds for which an answer is reused, and so for which a revoked token still works, and a token
 * that was refused stays refused.
 */
const maxAgeMs = 30_000
/** Milliseconds that a request waits for the question of another one; no question takes as long. */
const patienceMs = 8_000

interface KnownToken<Result> {
  readonly result: Result
  readonly until: number
}

/** A question that a request asks for all that have the same token. */
interface Question {
  readonly askedAt: number
  failure: { readonly error: unknown } | null
}

type AskContext = Pick<AuthContext, 'headers' | 'ctx' | 'refusals'>

/**
 * Asks a remote service once about each token, and remembers the answers by the digest of the token. Good
 * and refused tokens are remembered apart, so that made-up ones cannot evict the good ones.
 */
export class AskedTokens {
  readonly #good = new BoundedMap<string, KnownToken<AuthResult>>(maxTokens)
  readonly #refused = new BoundedMap<string, KnownToken<AuthResult>>(maxTokens)
  readonly #questions = new BoundedMap<string, Question>(maxTokens)

  /** Returns what the service says of a token; `ask` runs if that is not known. */
  find(
    digest: string,
    context: AskContext,
    ask: () => Promise<AuthResult>,
  ): AuthResult | Promise<AuthResult> {
    return this.#get(digest) ?? this.#askOnce(digest, context, ask)
  }

  #get(digest: string): AuthResult | null {
    const known = this.#good.get(digest) ?? this.#refused.get(digest)
    if (known !== undefined && known.until > Date.now()) return known.result
    return null
  }

  // in workerd a promise belongs to the request that created it, so requests do not wait for one: they
  // look again and again for the value that it leaves
  async #askOnce(
    digest: string,
    context: AskContext,
    ask: () => Promise<AuthResult>,
  ): Promise<AuthResult> {
    for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, 50)) {
      const question = this.#questions.get(digest)
      if (question === undefined || Date.now() - question.askedAt > patienceMs) {
        const asking = this.#ask(digest, context, ask)
        // the others still wait if the client of this request disconnects
        context.ctx.waitUntil(asking.catch(() => undefined))
        return asking
      }
      // oxlint-disable-next-line no-await-in-loop
      await scheduler.wait(pauseMs)
      const known = this.#get(digest)
      if (known !== null) return known
      if (question.failure !== null) throw question.failure.error
    }
  }

  async #ask(
    digest: string,
    context: AskContext,
    ask: () => Promise<AuthResult>,
  ): Promise<AuthResult> {
    const question: Question = { askedAt: Date.now(), failure: null }
    this.#questions.set(digest, question)
    try {
      const result = await context.refusals.ask(context, ask)
      this.#remember(digest, result)
      return result
    } catch (error) {
      // another address may still ask
      if (!(error instanceof TooManyRefusals)) question.failure = { error }
      throw error
    } finally {
      if (this.#questions.get(digest) === question) this.#questions.delete(digest)
    }
  }

  #remember(digest: string, result: AuthResult): void {
    const until = Date.now() + maxAgeMs
    if (result.kind === 'caller') {
      this.#refused.delete(digest)
      this.#good.set(digest, { result, until: Math.min(until, toExpiry(result.caller)) })
    } else {
      this.#good.delete(digest)
      this.#refused.set(digest, { result, until })
    }
  }
}

function toExpiry({ expires = Infinity }: Caller): number {
  return expires
}
