import { expect, it } from 'vitest'
import { createCheck } from '../../../src/schema/check.ts'

it('throws with the missing import if a plain JSON Schema is checked without its checker', async () => {
  const check = createCheck({ type: 'object' })
  expect(() => check({})).toThrow("write `import 'helve/json-schema'` in the Worker's main module")
  await import('../../../src/schema/json-schema/register.ts')
  expect(check({})).toEqual({ ok: true, value: {} })
})
