/*
 * Calls whose signal has aborted, by the key that their client gave, with the reason. They are in
 * this isolate's memory: once its client has gone, a call may have no time left to write elsewhere.
 */
const aborted = new Map<string, string>()

/** Keeps the abort of a call, should it come. */
export function recordAbort(key: string, signal: AbortSignal): void {
  signal.addEventListener('abort', () => aborted.set(key, String(signal.reason)))
}

/** Why a call was aborted; `null` for one that was not, or not yet. */
export function findAbort(key: string): string | null {
  return aborted.get(key) ?? null
}
