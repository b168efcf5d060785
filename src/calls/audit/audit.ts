import type { Exchange } from '../../wire/exchange.ts'
import type { RequestMessage } from '../../wire/message.ts'
import type { Outcome } from '../../wire/outcome.ts'
import type { StreamedOutcome } from '../../wire/streamed-outcome.ts'
import { writeAuditPoint } from './dataset.ts'
import { toAuditEnd, toAuditSubject, toStreamEnd, type AuditEnd } from './record.ts'
import type { OpenSanitizer } from '../sanitize/sanitizer.ts'

export interface AuditSettings {
  /** Whether lines have the arguments of calls, with secrets masked; they do not unless said. */
  readonly arguments?: boolean
  /** The name of an Analytics Engine binding that gets every line as a point, too. */
  readonly dataset?: string
}

/** What of an exchange an audit looks at. */
export type AuditedExchange = Pick<Exchange, 'env' | 'callerDigest'>

/** Has a request answered, and writes one line about it. */
export type Audit = (
  message: RequestMessage,
  exchange: AuditedExchange,
  answer: () => Outcome | Promise<Outcome>,
) => Outcome | Promise<Outcome>

/**
 * Makes the audit of a Worker: one line of JSON a request in the Worker's log, once it has ended; for a
 * stream, when that ends. `ms` is what the clock says: in Workers it stands still but for I/O, so that
 * a call which waits for nothing takes 0.
 */
export function createAudit(settings: AuditSettings, openSanitizer: OpenSanitizer): Audit {
  return (message, exchange, answer) => {
    const began = Date.now()
    const write = (end: AuditEnd): void => writeLine(message, exchange, end, Date.now() - began)
    const note = (outcome: Outcome): Outcome => {
      if (outcome.kind === 'stream') return noteStream(outcome, write)
      write(toAuditEnd(outcome))
      return outcome
    }
    return watch(answer, note, write)
  }

  function writeLine(
    message: RequestMessage,
    { env, callerDigest }: AuditedExchange,
    end: AuditEnd,
    ms: number,
  ): void {
    const { arguments: hasArguments = false, dataset } = settings
    const sanitizer = openSanitizer(env)
    const subject = toAuditSubject(message, callerDigest, sanitizer, hasArguments)
    console.log(JSON.stringify({ level: 'info', what: 'audit', ...subject, ...end, ms }))
    if (dataset !== undefined) writeAuditPoint(env, dataset, subject, end, ms)
  }
}

function noteStream({ run }: StreamedOutcome, write: (end: AuditEnd) => void): StreamedOutcome {
  return {
    kind: 'stream',
    run: async (stream) =>
      watch(
        () => run(stream),
        (result) => {
          write(toStreamEnd(result))
          return result
        },
        write,
      ),
  }
}

/** What is thrown is a fault of the server; whoever catches it gives it its id. */
const fault: AuditEnd = { outcome: 'internal', bytes: 0 }

function watch<Value>(
  work: () => Value | Promise<Value>,
  note: (value: Value) => Value,
  write: (end: AuditEnd) => void,
): Value | Promise<Value> {
  const rethrow = (error: unknown): never => {
    write(fault)
    throw error
  }
  let value: Value | Promise<Value>
  try {
    value = work()
  } catch (error) {
    return rethrow(error)
  }
  // most answers are there at once, and need no turn of their own
  return value instanceof Promise ? value.then(note, rethrow) : note(value)
}
