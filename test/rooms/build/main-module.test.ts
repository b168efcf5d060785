import { expect, test } from 'vitest'
import { type MainModuleProblems, findMainProblems } from '../../../src/build/main-module.ts'
import { loadWranglerConfig } from '../../../src/build/wrangler-config.ts'
import { createTemporaryProject } from './temporary-project.ts'

const toml = 'main = "src/worker.ts"\ncompatibility_date = "2026-11-02"\n'

async function find(worker: string, config = toml): Promise<MainModuleProblems> {
  const project = await createTemporaryProject({ 'wrangler.toml': config, 'src/worker.ts': worker })
  return findMainProblems({ project, config: await loadWranglerConfig(project.config) })
}

test.each([
  ['export const { Handles, Hub, Listings } = worker', []],
  ['export const { Handles } = worker\nexport class Hub extends worker.Hub {}', ['Listings']],
  ['export { Handles, Hub as Bell } from "./other.ts"', ['Hub', 'Listings']],
  ['export default worker', ['Handles', 'Hub', 'Listings']],
])('finds the classes that are not exported: %s', async (worker, unexported) => {
  const problems = await find(`const worker: object = {}\n${worker}\n`)
  expect(problems).toEqual({ refusals: [], unexported, renamed: [], hidden: [] })
})

test.each([
  ['["Handles", "Hub"]', 'Handles and Hub', 'both', ['Listings']],
  ['["Hub"]', 'Hub', 'this class', ['Handles', 'Listings']],
])('refuses a module without the declared classes %s', async (...row) => {
  const [declared, names, which, unexported] = row
  const config = `${toml}[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ${declared}\n`
  expect(await find('export default {}', config)).toEqual({
    refusals: [
      {
        files: ['src/worker.ts'],
        why:
          `It does not export ${names}, but wrangler.toml declares the storage of ${which} in ` +
          '[[migrations]], so the Worker cannot start. ' +
          'Add `export const { Handles, Hub, Listings } = worker`.',
      },
    ],
    unexported,
    renamed: [],
    hidden: [],
  })
  const exported = 'const worker: object = {}\nexport const { Handles, Hub } = worker\n'
  expect((await find(exported, config)).refusals).toEqual([])
})

test.each([
  ['passes on what another module exports', 'export * from "./other.ts"', toml],
  ['does not parse', 'export {', toml],
  ['is not named', 'export default {}', 'compatibility_date = "2026-11-02"'],
])('finds no problem in a module that %s', async (_, worker, config) => {
  expect(await find(worker, config)).toEqual({
    refusals: [],
    unexported: [],
    renamed: [],
    hidden: [],
  })
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
