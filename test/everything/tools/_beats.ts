/*
 * How often each call has done something, by the key that its client gave: in this isolate's memory,
 * where it goes on counting for exactly as long as the platform lets the call run.
 */
const beats = new Map<string, number>()

export function beat(key: string): void {
  beats.set(key, countBeats(key) + 1)
}

export function countBeats(key: string): number {
  return beats.get(key) ?? 0
}
