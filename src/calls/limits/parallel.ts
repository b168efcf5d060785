import type { ToolHints } from '../../define/tool.ts'
import type { Limits } from '../../state/limits.ts'
import { logNotice } from '../../kit/incident.ts'
import { allowsUncounted, toUncountedText, type WhenUnreachable } from './unreachable-limit.ts'
import { toWaitText } from './wait-text.ts'

/** A call of a tool of which a caller may run only so many at once. */
export interface ParallelCall {
  readonly name: string
  /** How many; any number where it is `undefined`. */
  readonly parallel: number | undefined
  readonly hints: ToolHints | undefined
  /** The caller's digest, or else the client's address. */
  readonly who: string
  /** How long one call may take. */
  readonly limitMs: number
  readonly limits: Limits
  readonly whenUnreachable: WhenUnreachable
}

export type ParallelRun<Value> =
  | { readonly ok: true; readonly value: Value }
  /** It was not run; `why` is for the model. */
  | { readonly ok: false; readonly why: string }

/** How much longer than its time limit a call may take before its place counts as free. */
const marginMs = 5_000

/**
 * Runs `work` if its caller has fewer calls of the tool running than allowed. The place is given back
 * before the reply goes out, so that who calls again at once finds it free; the place of a Worker that
 * died is free when the call's time is over.
 */
export async function runParallel<Value>(
  call: ParallelCall,
  work: () => Promise<Value>,
): Promise<ParallelRun<Value>> {
  const { name, parallel, limits, who } = call
  if (parallel === undefined) return { ok: true, value: await work() }
  const lease = crypto.randomUUID()
  const why = await findRefusal(call, lease, parallel)
  if (why !== null) return { ok: false, why }
  try {
    return { ok: true, value: await work() }
  } finally {
    await limits
      .end([name, who], lease)
      .catch((error: unknown) => logNotice(`parallel calls of ${name}`, String(error)))
  }
}

async function findRefusal(
  { name, hints, who, limitMs, limits, whenUnreachable }: ParallelCall,
  lease: string,
  most: number,
): Promise<string | null> {
  try {
    const answer = await limits.begin([name, who], lease, { most, ms: limitMs + marginMs })
    if (answer.allowed) return null
    const running = most === 1 ? 'a call of it is' : `${most} calls of it are`
    return (
      `${name} was not run: ${running} running already, which is as many as may be. ` +
      `Wait for one to end, ${toWaitText(answer.retryMs)} at the latest, then try again.`
    )
  } catch (error) {
    return allowsUncounted(name, hints, whenUnreachable, error) ? null : toUncountedText(name)
  }
}
