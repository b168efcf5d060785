import type { JsonObject } from '../wire/json.ts'

/** Whether a request brings answers: its result depends on what is no part of any cache key. */
export function isRetry({ inputResponses, requestState }: JsonObject): boolean {
  return inputResponses !== undefined || requestState !== undefined
}
