import type { ToolCall } from '../checked-call.ts'
import { findLimitRefusal } from './tool-limit.ts'

/** Counts a call against the tool's limit; the sentence for one that is one too many, or `null`. */
export function countCall(
  { call, tool, state, settings }: ToolCall,
  who: string,
): Promise<string | null> | null {
  const { limit, hints } = tool.definition
  // most tools have none, and a promise for nothing is not free
  if (limit === undefined) return null
  const { limits } = state
  const counted = { name: call.name, limit, hints, who, env: call.exchange.env, limits }
  return findLimitRefusal(counted, settings.limits)
}
