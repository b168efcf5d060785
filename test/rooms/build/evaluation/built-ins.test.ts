import { expect, test } from 'vitest'
import type { Refusal } from '../../../../src/build/evaluated.ts'
import { check } from '../../../../src/build/build.ts'
import { createTemporaryProject, toolSource } from '../temporary-project.ts'

async function refusalsOf(files: Readonly<Record<string, string>>): Promise<readonly Refusal[]> {
  const result = await check(await createTemporaryProject(files))
  return result.kind === 'refused' ? result.refusals : []
}

/** Statements that a module runs while it is loaded, each of which changes what others rely on. */
const changes = [
  "JSON.stringify = () => ''",
  'JSON.parse = () => ({})',
  "Array.prototype['toJSON'] = () => 'x'",
  'Array.prototype.map = () => []; Array.prototype[Symbol.iterator] = function* () {}',
  'Object.entries = () => []; Object.keys = () => []; Math.max = () => 0',
  'Reflect.ownKeys = () => []; Reflect.defineProperty = () => false',
  'RegExp.prototype.exec = () => null; String.prototype.replace = () => ""',
  'globalThis.JSON = {}; globalThis.Map = null; globalThis.Array = null',
]

test.each(changes)('a module that runs %s is described, with a warning', async (change) => {
  const project = await createTemporaryProject({ 'tools/a.ts': toolSource('', change) })
  const result = await check(project)
  expect(result).toMatchObject({
    kind: 'good',
    entries: [{ key: 'a', members: { name: 'a' } }],
    warnings: [expect.stringContaining('tools/a.ts: The module changes ')],
  })
})

test.each([
  'console = {}; console.log = () => {}',
  'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(JSON)',
  'process.stdout.write("no line break")',
  "for (let i = 0; i < 20_000; i += 1) console.log('x'.repeat(1000))",
])('a module that runs %s is described', async (statement) => {
  const project = await createTemporaryProject({ 'tools/a.ts': toolSource('', statement) })
  expect(await check(project)).toMatchObject({ kind: 'good', entries: { length: 1 }, warnings: [] })
})

test.each<[string, RegExp]>([
  [
    "Object.defineProperty(Object.prototype, 'kind', { value: 1 })",
    /cannot undo the change of Object\.prototype\.kind/,
  ],
  ['await new Promise(() => {})', /^An `await` outside `run` never ends\./],
  ['throw Object.create(null)', /failed: It threw a value that cannot be printed\.$/],
  [
    'throw new Proxy({}, { get() { throw 1 } })',
    /failed: It threw a value that cannot be printed\.$/,
  ],
  ["Error.prepareStackTrace = () => 5; throw new Error('x')", /Loading the module failed: x$/],
  ['Promise.prototype.then = () => {}; await 1; await { then() {} }', /never ends|exited/],
])('a module that runs %s is refused', async (statement, sentence) => {
  const refusals = await refusalsOf({ 'tools/a.ts': toolSource('', statement) })
  expect(refusals.at(-1)?.why).toMatch(sentence)
})

test('a module that breaks another is named before it', async () => {
  const refusals = await refusalsOf({
    'tools/a.ts': toolSource('', 'Object.prototype.x = 1'),
    'tools/b.ts': toolSource('input: z.object({ a: z.string() })'),
  })
  expect(refusals).toMatchObject([
    {
      files: ['tools/a.ts'],
      why: expect.stringContaining('The module changes Object.prototype.x while it is loaded'),
    },
    { files: ['tools/b.ts'] },
  ])
})
