import { type Duration, toMilliseconds } from '../util/duration.ts'

/*
 * Time travel: `Date` of this isolate is ahead of the real time. The Worker, its cache and its Durable
 * Objects read the time from `Date`, and run in the isolate of the test. Timers are not faked.
 */

const RealDate = Date
let aheadMs = 0

function now(): number {
  return RealDate.now() + aheadMs
}

/** A proxy, so that dates from elsewhere are still instances of `Date`. */
const ShiftedDate = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})

/** Moves the time forward. */
export function advanceClock(by: Duration): void {
  aheadMs += toMilliseconds(by)
  globalThis.Date = ShiftedDate
}

/** Returns to the real time. */
export function resetClock(): void {
  aheadMs = 0
  globalThis.Date = RealDate
}
