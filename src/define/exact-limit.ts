import type { Duration } from '../kit/duration.ts'

/**
 * How often a tool may be called, counted exactly in a Durable Object: a bucket that holds `tokens`
 * calls, and gets one back every `per / tokens`. After a rest all of them may come at once.
 */
export interface ExactLimit {
  readonly tokens: number
  readonly per: Duration
  /**
   * Who shares a bucket: each caller has one for this tool (the default), all callers together have
   * one for this `tool`, or `all` tools with the same `tokens` and `per` have one together. A caller
   * who has not signed in is known by the address.
   */
  readonly by?: 'caller' | 'tool' | 'all'
}
