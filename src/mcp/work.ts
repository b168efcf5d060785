import type { CacheLookup } from '../cache/read-through.ts'
import type { Abilities } from '../define/contexts.ts'
import type { ExactLimit, ToolHints } from '../define/tool.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type CacheHints, type Outcome, fail } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { ClientGone, Deadline } from './deadline.ts'
import { toThrownOutcome } from './thrown-errors.ts'
import type { RestrictedEntry } from './visibility.ts'

/** How long an author's code may take where the author sets no time. */
export const defaultLimitMs = 30_000

/** The answers to the questions of `ask`, by their keys. */
export type AnswerValues = Readonly<Record<string, unknown>>

/** How often a tool may be called, as its author set it. */
export interface ToolLimits {
  /** The name of a `[[ratelimits]]` binding, or an exact limit. */
  readonly limit: string | ExactLimit | undefined
  /** How many calls of one caller may run at once. */
  readonly parallel: number | undefined
  readonly hints: ToolHints | undefined
}

/**
 * What a call runs: a tool, a prompt, a resource, the rows of a list, a completion. Every kind says how
 * its steps go; `runPipeline` says in which order.
 */
export abstract class Work {
  readonly call: Call
  /** The tool's or prompt's name, or the resource's URI: what sentences call it. */
  readonly name: string
  /** The arguments as the client sent them. */
  readonly input: JsonObject
  /** How long clients may keep the result. */
  readonly hints: CacheHints | null = null

  constructor(call: Call, name: string, input: JsonObject) {
    this.call = call
    this.name = name
    this.input = input
  }

  #deadline: Deadline | null = null

  /** The time that all steps share. It begins when it is first read, after `visible` was asked. */
  get deadline(): Deadline {
    this.#deadline ??= new Deadline(this.call, this.limitMs)
    return this.#deadline
  }

  /** How many milliseconds they have. */
  get limitMs(): number {
    return defaultLimitMs
  }

  /** What decides whether the caller may know of it; `null` where that has been decided. */
  abstract readonly entry: RestrictedEntry | null
  /** Ends a call of what is not there, or not for this caller: both read alike. */
  abstract toUnknown(): Outcome
  /** Imports the author's module. */
  abstract load(): Promise<unknown> | null
  /** Runs the author's code, and prints what it returned. */
  abstract run(answers: AnswerValues): Outcome | Promise<Outcome>

  /** Checks that the parameters are what the protocol says; an outcome ends the call. */
  checkParams(): Outcome | null {
    return null
  }

  /** How often it may be called; `null` without any limit. */
  get limits(): ToolLimits | null {
    return null
  }

  /** The key under which the result may be cached; `null` where it must be run for every call. */
  toCacheLookup(): CacheLookup | null {
    return null
  }

  /** Checks the arguments by the author's schema; an outcome ends the call. */
  checkInput(): Outcome | null | Promise<Outcome | null> {
    return null
  }

  /** Whether its method has rounds; what a client sends of them to any other method means nothing. */
  get hasRounds(): boolean {
    return false
  }

  /** Whether questions may come before the run. */
  get asks(): boolean {
    return false
  }

  /** Runs the author's `ask`, whose result is still to be read. */
  ask(_answers: AnswerValues, _can: Abilities): unknown {
    return {}
  }

  /** Whether a run must not happen twice: it asks first, and changes something then. */
  get runsOnce(): boolean {
    return false
  }

  /** Ends a call that must not run, with a sentence for whoever sent it. */
  refuse(why: string): Outcome {
    return fail({ kind: 'failed', why })
  }

  /** Ends a call whose author's code failed, with the id under which the log has the error. */
  toFault(errorId: string): Outcome {
    return fail({ kind: 'internal', errorId })
  }

  get lateText(): string {
    const what = `${this.call.method} ${this.name}`.trimEnd()
    const seconds = this.deadline.limitMs / 1_000
    return `${what} did not finish within ${seconds} seconds and was stopped. Try again later.`
  }

  /** Runs in what is left of the time. A failure is a result too, and is what those who send it again are told. */
  async runInTime(answers: AnswerValues): Promise<Outcome> {
    try {
      return await this.deadline.within(this.run(answers))
    } catch (error) {
      // there is no client left to tell, and how far the run came is unknown
      if (error instanceof ClientGone) throw error
      return toThrownOutcome(this, error)
    }
  }
}
