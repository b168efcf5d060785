import { isJsonObject } from '../wire/json.ts'
import type { Path } from './path.ts'
import type { Problem } from './problem.ts'
import { readZodIssue } from './zod-issue.ts'

/**
 * Reads the issues of a Standard Schema. A message that the author, a locale or another validator
 * wrote is kept; zod's stock messages give way to what {@link readZodIssue} makes of the details.
 */
export function* readIssues(issues: readonly unknown[], base: Path = []): Generator<Problem> {
  for (const issue of issues) {
    if (!isJsonObject(issue)) continue
    const path = [...base, ...readPath(issue['path'])]
    const message = typeof issue['message'] === 'string' ? issue['message'] : ''
    const known = readZodIssue(issue, message, path, readIssues)
    if (known === null) yield { kind: 'said', path, message: message || 'is not valid' }
    else yield* known
  }
}

function readPath(path: unknown): Path {
  if (!Array.isArray(path)) return []
  return path.map((step: unknown) => {
    const key = isJsonObject(step) ? step['key'] : step
    return typeof key === 'number' ? key : String(key)
  })
}
