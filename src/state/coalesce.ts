/**
 * Gathers what happens within `windowMs` of the first event and hands it on at once, equal events
 * as one. Nothing is pending between windows, so that a Durable Object can hibernate there.
 */
export function createCoalescer<Event>(
  windowMs: number,
  handOn: (events: readonly Event[]) => void,
): (event: Event) => void {
  const waiting = new Map<string, Event>()
  return (event) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const events = [...waiting.values()]
        waiting.clear()
        handOn(events)
      }, windowMs)
    }
    waiting.set(JSON.stringify(event), event)
  }
}
