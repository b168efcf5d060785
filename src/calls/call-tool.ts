import type { Tool } from '../define/tool.ts'
import { readUses } from '../define/uses-input.ts'
import { toMilliseconds } from '../kit/duration.ts'
import type { Outcome } from '../wire/outcome.ts'
import { askThenRun } from './ask-then-run.ts'
import type { Call, CallSettings } from './call.ts'
import { isOverLimit } from './rate-limit.ts'
import { defaultTimeout, explainToolFailure } from './tool-failure.ts'
import { toErrorMembers } from './tool-result.ts'

/**
 * Answers one tool call. Whatever goes wrong inside a tool is a result too, marked `isError`, since
 * the model is the one who can do something about it (server/tools, "Error Handling").
 */
export async function callTool(call: Call, tool: Tool, settings: CallSettings): Promise<Outcome> {
  const { name, params, exchange } = call
  const { uses = {}, limit, timeout = defaultTimeout } = tool.definition
  try {
    // all rounds are one call, and the first of them was counted
    const isFirst = params['requestState'] === undefined
    if (isFirst && (await isOverLimit(name, limit, exchange))) {
      return toFailed(`Too many calls of ${name}. Wait a minute, then try again.`)
    }
    const state = settings.openState(exchange)
    const taken = readUses(call.input, uses, state.handles.creatorOf)
    if (!taken.ok) return toRefused(name, taken.problems)
    const checked = await tool.checkInput(taken.input)
    if (!checked.ok) return toRefused(name, checked.problems)
    const { ids } = taken
    const limitMs = toMilliseconds(timeout)
    return await askThenRun({ call, tool, input: checked.value, ids, state, settings, limitMs })
  } catch (error) {
    return toFailed(explainToolFailure(name, tool, error))
  }
}

function toRefused(name: string, problems: readonly string[]): Outcome {
  return toFailed(`${name} was not run. ${problems.join(' ')}`)
}

function toFailed(why: string): Outcome {
  return { kind: 'result', members: toErrorMembers(why) }
}
