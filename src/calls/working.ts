import type { Working } from '../define/running.ts'
import { isJsonObject } from '../wire/json.ts'
import type { Call } from './call.ts'
import { createLog } from './log.ts'
import type { Sanitizer } from './sanitize/sanitizer.ts'
import { readTraceContext } from './trace/context.ts'
import { createTrace } from './trace/trace.ts'

/** Makes what every piece of an author's code works with, but for its input. */
export function toWorking(
  { name, params, exchange, envelope }: Call,
  sanitizer: Sanitizer,
  signal: AbortSignal,
): Omit<Working<never>, 'input'> {
  const meta = params['_meta']
  return {
    env: exchange.env,
    caller: exchange.caller,
    signal,
    log: createLog(name, envelope, exchange, sanitizer),
    trace: createTrace(isJsonObject(meta) ? readTraceContext(meta) : null),
  }
}
