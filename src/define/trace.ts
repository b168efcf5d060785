/** The trace that a request is a part of, if its client says so (basic/index, "_meta"). */
export interface Trace {
  /** 32 hexadecimal digits; `null` where the client sent no trace. */
  readonly id: string | null
  /**
   * Headers that make a `fetch` a part of the trace, a span of its own each time they are read: put
   * them into its `headers`. They are empty without a trace. `baggage` is the client's own: send it
   * only to whom it may concern.
   */
  readonly headers: Readonly<Record<string, string>>
}
