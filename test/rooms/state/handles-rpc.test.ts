import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { createHandlesClass } from '../../../src/objects/handles-object.ts'
import { readHandlesNamespace } from '../../../src/objects/handles-rpc.ts'

test('the namespace is found among the exports, without a binding', () => {
  expect(readHandlesNamespace(exports).newUniqueId().toString()).toMatch(/^[0-9a-f]{64}$/)
})

test('the error for a Worker that does not export or declare the class says how to', () => {
  const Handles = createHandlesClass([], () => new WorkerLog(createSanitizer([])))
  for (const exports of [undefined, {}, { Handles }]) {
    expect(() => readHandlesNamespace(exports)).toThrow(
      /`export const \{ Handles \} = worker`.*new_sqlite_classes = \["Handles"\]/,
    )
  }
})
