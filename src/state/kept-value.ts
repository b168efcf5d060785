/**
 * Makes a function that fetches a value at its first call in this isolate and keeps it. Calls
 * meanwhile wait for that fetch; after a failure the next call tries again.
 *
 * The wait has an end, after which a call fetches for itself: a promise belongs to the request that
 * began it, and in workerd it never settles once that request's client has gone.
 */
export function createKeptValue<T>(patienceMs: number): (fetch: () => Promise<T>) => Promise<T> {
  let kept: { readonly value: T } | null = null
  let pending: Promise<void> | null = null

  return async (fetch) => {
    if (kept === null && pending !== null) await Promise.race([pending, scheduler.wait(patienceMs)])
    if (kept !== null) return kept.value
    const fetching = fetch().then((value) => {
      kept = { value }
      return value
    })
    pending = fetching.then(nothing, nothing)
    return fetching
  }
}

// who waits goes on after a failure too, and then tries for itself
function nothing(): void {}
