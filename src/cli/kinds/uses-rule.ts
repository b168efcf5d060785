import { isJsonObject } from '../../wire/json.ts'
import { isHandle } from './handle.ts'
import type { MemberRule } from './member-rule.ts'

/**
 * Checks what a tool `uses`. A kind must be a module's default export, since its Durable Object knows
 * it by its name alone and finds it in the registry.
 */
export function toUsesRule(handles: ReadonlySet<unknown>): MemberRule {
  return (uses) => {
    if (!isJsonObject(uses)) return 'is no object of handles, such as { basket }.'
    const [problem = null] = Object.entries(uses).flatMap(([key, used]) => {
      const kind = isJsonObject(used) && used['kind'] === 'optional' ? used['handle'] : used
      if (!isHandle(kind)) return `has ${key}, which is no handle. Make it with defineHandle.`
      if (handles.has(kind)) return []
      return (
        `has ${key}, and no module under tools/ has that handle as its default export. Give it ` +
        'one of its own: the Durable Object finds it there.'
      )
    })
    return problem
  }
}
