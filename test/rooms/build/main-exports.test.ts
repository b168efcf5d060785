import { expect, test } from 'vitest'
import { findUnexported } from '../../../src/build/report.ts'
import { loadWranglerConfig } from '../../../src/build/wrangler-config.ts'
import { createTemporaryProject } from './temporary-project.ts'

const toml = 'main = "src/worker.ts"\ncompatibility_date = "2026-11-02"\n'

async function find(worker: string, config = toml): Promise<readonly string[]> {
  const project = await createTemporaryProject({ 'wrangler.toml': config, 'src/worker.ts': worker })
  return findUnexported({ project, config: await loadWranglerConfig(project.config), tools: [] })
}

test.each([
  ['export const { Handles, Hub, Listings } = worker', []],
  ['export const { Handles } = worker\nexport class Hub extends worker.Hub {}', ['Listings']],
  ['export { Handles, Hub as Bell } from "./other.ts"', ['Hub', 'Listings']],
  ['export default worker', ['Handles', 'Hub', 'Listings']],
])('%s', async (worker, missing) => {
  expect(await find(`const worker: object = {}\n${worker}\n`)).toEqual(missing)
})

test.each([
  ['passes on what another module exports', 'export * from "./other.ts"', toml],
  ['does not parse', 'export {', toml],
  ['is not named', 'export default {}', 'compatibility_date = "2026-11-02"'],
])('nothing is said of a module that %s', async (_, worker, config) => {
  expect(await find(worker, config)).toEqual([])
})
