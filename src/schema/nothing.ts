import type { StandardSchema } from './standard.ts'

/**
 * The schema of a tool without `input`: an object with nothing in it, printed as the specification
 * recommends (server/tools, "Tool").
 */
export const nothing: StandardSchema<Record<string, never>> = {
  '~standard': {
    version: 1,
    vendor: 'helve',
    validate(value) {
      const unknown = Object.keys(Object(value))
      if (unknown.length === 0) return { value: {} }
      return {
        issues: unknown.map((key) => ({
          message: 'is not allowed: there are no arguments',
          path: [key],
        })),
      }
    },
    jsonSchema: { input: print, output: print },
  },
}

function print(): Record<string, unknown> {
  return { type: 'object', additionalProperties: false }
}
