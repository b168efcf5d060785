import { describe, expect, test } from 'vitest'
import { type MainModuleProblems, findMainProblems } from '../../../src/build/main-module.ts'
import { loadWranglerConfig } from '../../../src/build/wrangler-config.ts'
import { createTemporaryProject } from './temporary-project.ts'

const toml = 'main = "src/worker.ts"\ncompatibility_date = "2026-11-02"\n'

const none: MainModuleProblems = {
  refusals: [],
  unexported: [],
  renamed: [],
  hasAuth: true,
  servesLegacy: true,
  hidden: [],
}

async function find(worker: string, config = toml): Promise<MainModuleProblems> {
  const project = await createTemporaryProject({ 'wrangler.toml': config, 'src/worker.ts': worker })
  return findMainProblems({ project, config: await loadWranglerConfig(project.config, project) })
}

test.each([
  ['export const { Handles, Hub, Bridge, Listings } = worker', []],
  [
    'export const { Handles, Bridge } = worker\nexport class Hub extends worker.Hub {}',
    ['Listings'],
  ],
  ['export { Handles, Hub as Bell } from "./other.ts"', ['Hub', 'Bridge', 'Listings']],
  ['export default worker', ['Handles', 'Hub', 'Bridge', 'Listings']],
])('finds the classes that are not exported: %s', async (worker, unexported) => {
  const problems = await find(`const worker: object = {}\n${worker}\n`)
  expect(problems).toEqual({ ...none, unexported })
})

test.each([
  ['["Handles", "Hub"]', 'Handles and Hub', 'these classes', ['Bridge', 'Listings']],
  ['["Hub"]', 'Hub', 'this class', ['Handles', 'Bridge', 'Listings']],
  ['["Bridge"]', 'Bridge', 'this class', ['Handles', 'Hub', 'Listings']],
])('refuses a module without the declared classes %s', async (...row) => {
  const [declared, names, which, unexported] = row
  const config = `${toml}[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ${declared}\n`
  expect(await find('export default {}', config)).toEqual({
    ...none,
    refusals: [
      {
        files: ['src/worker.ts'],
        why:
          `It does not export ${names}, but wrangler.toml declares the storage of ${which} in ` +
          '[[migrations]], so the Worker cannot start. ' +
          'Add `export const { Handles, Hub, Bridge, Listings } = worker`.',
        code: 'missing-export',
      },
    ],
    unexported,
  })
  const exported = 'const worker: object = {}\nexport const { Handles, Hub, Bridge } = worker\n'
  expect((await find(exported, config)).refusals).toEqual([])
})

test.each([
  ['passes on what another module exports', 'export * from "./other.ts"', toml],
  ['does not parse', 'export {', toml],
  ['is not named', 'export default {}', 'compatibility_date = "2026-11-02"'],
])('finds no problem in a module that %s', async (_, worker, config) => {
  expect(await find(worker, config)).toEqual(none)
})

test('finds imports that were renamed', async () => {
  const { renamed } = await find(`
    import { jwt } from 'helve/access/jwt'
    import { optional } from 'helve/access/optional'
    export * from 'helve/auth/custom'
    export const auth = optional(jwt())
  `)
  expect(renamed).toEqual([
    "src/worker.ts imports 'helve/access/jwt', which was renamed: import 'helve/auth/jwt'.",
    "src/worker.ts imports 'helve/access/optional', which was renamed: import { optionalAuth } " +
      "from 'helve/auth/optional-auth'.",
  ])
})

describe('the limit of all requests', () => {
  const limited = `${toml}[[ratelimits]]\nname = "CALLS"\nnamespace_id = "1"\nsimple = { limit = 5, period = 10 }\n`
  const refusalsOf = async (worker: string, config: string): Promise<readonly string[]> => {
    const { refusals } = await find(`import { createWorker } from 'helve'\n${worker}`, config)
    return refusals.map(({ why }) => why)
  }

  test.each([
    ["createWorker({ name: 'a', limit: 'NOPE' })", '`limit` is "NOPE", but wrangler.toml has no'],
    ["const worker = createWorker({ audit: { arguments: true }, limit: 'NOPE' })", '"NOPE"'],
    ["createWorker({ limit: '' })", '`limit` of createWorker is "". It must be the name'],
    ['createWorker({ limit: 5 })', '`limit` of createWorker is 5. It must be the name'],
    ['createWorker({ limit: null })', '`limit` of createWorker is null.'],
    [`export default createWorker({ name: '} " {', limit: 'NOPE' })`, '"NOPE"'],
    ["createWorker({\n  name: 'a', // {\n  limit: 'NOPE',\n})", '"NOPE"'],
  ])('is refused where it names no binding: %s', async (worker, why) => {
    expect(await refusalsOf(worker, limited)).toEqual([expect.stringContaining(why)])
  })

  test.each([
    "createWorker({ limit: 'CALLS' })",
    'const limit = "NOPE"\ncreateWorker({ limit })',
    'createWorker({ name: \'limit: "NOPE"\' })',
    "createWorker({ audit: { limit: 'NOPE' } })",
    "other({ limit: 'NOPE' })",
    "createWorker({ name: 'a' })\nother({ limit: 'NOPE' })",
  ])('is accepted, or left to the start of the Worker: %s', async (worker) => {
    expect(await refusalsOf(worker, limited)).toEqual([])
  })
})

test.each([
  ['createWorker({ name: "a", registry })', false],
  ['createWorker({ name: "auth: x", limit: f({ auth: 1 }), /* auth */ registry })', false],
  ["createWorker({ name: 'a', auth: jwt({ issuer }), registry })", true],
  ['createWorker({ registry, auth })', true],
  ['createWorker({ "auth": custom(() => null) })', true],
  ['createWorker({ auth() {}, registry })', true],
  ['createWorker({ auth: undefined, registry })', false],
  ['createWorker({ ...options, registry })', true],
  ['createWorker(options)', true],
  ['make({ registry })', true],
])('finds whether createWorker certainly has no auth: %s', async (call, hasAuth) => {
  const problems = await find(`export const { Handles, Hub, Bridge, Listings } = ${call}`)
  expect(problems.hasAuth).toBe(hasAuth)
})

test.each([
  ['createWorker({ registry, legacy: false })', false],
  ['createWorker({ ...options, "legacy": false, registry })', false],
  ['createWorker({ registry })', true],
  ['createWorker({ registry, legacy: true })', true],
  ['createWorker({ registry, legacy })', true],
  ['createWorker({ registry, cache: { legacy: false } })', true],
  ['createWorker(options)', true],
])('finds whether createWorker certainly refuses older clients: %s', async (call, servesLegacy) => {
  const problems = await find(`export const { Handles, Hub, Bridge, Listings } = ${call}`)
  expect(problems.servesLegacy).toBe(servesLegacy)
})

test('finds hidden characters in its text, but not the mark at its beginning', async () => {
  const zeroWidth = '\u{200B}'
  const { hidden } = await find(
    `\uFEFFexport const a = 'ü 👩‍💻 \\u200b'\nexport const b = 'Hi${zeroWidth}\u{E0048}'\n`,
  )
  expect(hidden).toEqual([
    'src/worker.ts:2 has hidden characters, which people do not see and models obey: ' +
      'U+200B, U+E0048. Remove them, or write them as escapes such as \\u200B.',
  ])
})
