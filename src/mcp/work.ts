import type { CacheLookup } from '../cache/read-through.ts'
import type { Abilities } from '../define/contexts.ts'
import type { ExactLimit, ToolHints } from '../define/tool.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type CacheHints, type Outcome, fail } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { ClientGone, Deadline, type WhenGone } from './deadline.ts'
import { toThrownOutcome } from './thrown-errors.ts'
import type { RestrictedEntry } from './visibility.ts'
import { excerpt } from '../util/excerpt.ts'

export const defaultLimitMs = 30_000

export type AnswerValues = Readonly<Record<string, unknown>>

export interface ToolLimits {
  readonly limit: string | ExactLimit | undefined
  readonly parallel: number | undefined
  readonly hints: ToolHints | undefined
}

/**
 * One piece of an author's code that a call runs: a tool, a prompt, a resource, the rows of a list
 * or a completion. Each kind defines the steps, and `runPipeline` their order.
 */
export abstract class Work {
  readonly call: Call
  /** The tool's or prompt's name, or the resource's URI, for messages. */
  readonly name: string
  readonly input: JsonObject
  /** How long clients may cache the result. */
  readonly hints: CacheHints | null = null

  constructor(call: Call, name: string, input: JsonObject) {
    this.call = call
    this.name = name
    this.input = input
  }

  #deadline: Deadline | null = null

  /** The time limit of all steps. It begins when it is first read, after `visible` was asked. */
  get deadline(): Deadline {
    this.#deadline ??= new Deadline(this.call, this.limitMs)
    return this.#deadline
  }

  /** Begins the time limit again, for a call that has waited for its user. */
  renewDeadline(): void {
    this.#deadline = null
  }

  /** Resolves when a step that was stopped can no longer be running; `null` if none was stopped. */
  get stopping(): Promise<void> | null {
    return this.#deadline?.stopping ?? null
  }

  get limitMs(): number {
    return defaultLimitMs
  }

  /** The entry whose visibility is checked; `null` if it has been checked before. */
  abstract readonly entry: RestrictedEntry | null
  /** Returns the outcome for an unknown name. A hidden entry has the same one. */
  abstract toUnknown(): Outcome
  abstract load(): Promise<unknown> | null
  /** Runs the author's code, and serializes its return value. */
  abstract run(answers: AnswerValues): Outcome | Promise<Outcome>

  /** Checks the parameters against the protocol; an outcome ends the call. */
  checkParams(): Outcome | null {
    return null
  }

  get limits(): ToolLimits | null {
    return null
  }

  /** The cache key of the result; `null` if it is not cached. */
  toCacheLookup(): CacheLookup | null {
    return null
  }

  /** Checks the arguments against the author's schema; an outcome ends the call. */
  checkInput(): Outcome | null | Promise<Outcome | null> {
    return null
  }

  /** Whether its method has rounds. Other methods ignore what a client sends of them. */
  get hasRounds(): boolean {
    return false
  }

  /** Whether the author's code has an `ask`. */
  get asks(): boolean {
    return false
  }

  /** Runs the author's `ask`. Its return value is not checked. */
  ask(_answers: AnswerValues, _can: Abilities): unknown {
    return {}
  }

  /** Whether the run must not be repeated: it asks first, and then changes something. */
  get runsOnce(): boolean {
    return false
  }

  /** Returns the outcome of a call that does not run, with a sentence for the client. */
  refuse(why: string): Outcome {
    return fail({ kind: 'failed', why })
  }

  /** Ends a call whose author's code failed. The log has the error under the id. */
  toFault(errorId: string): Outcome {
    return fail({ kind: 'internal', errorId })
  }

  get lateText(): string {
    const what = `${this.call.method} ${excerpt(this.name)}`.trimEnd()
    const seconds = this.deadline.limitMs / 1_000
    return `${what} did not finish within ${seconds} seconds and was stopped. Try again later.`
  }

  /**
   * Runs within the time limit. A failure is returned as a result, which repetitions of the call
   * get too.
   */
  async runInTime(answers: AnswerValues, whenGone: WhenGone = 'stop'): Promise<Outcome> {
    try {
      return await this.deadline.within(this.run(answers), whenGone)
    } catch (error) {
      // there is no client to reply to, and how far the run came is not known
      if (error instanceof ClientGone) throw error
      return toThrownOutcome(this, error)
    }
  }
}
