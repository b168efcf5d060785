/*
 * Runs the official conformance suite against test/everything and grades what it found, a line for
 * each scenario. Ends with 1 unless all of them pass. Usage: npm run conformance
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { startWranglerDev } from '../support/wrangler-dev.ts'
import { accepted, isNotServed } from './accepted.ts'
import { grade, toLines } from './grade.ts'
import { readResults } from './results.ts'

const revision = '2026-07-28'

/** How many scenarios that revision has for servers: 37 that are scored, and 3 that are pending. */
const due = 40

const root = resolve(import.meta.dirname, '../..')
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
const server = await startWranglerDev({ cwd: join(root, 'test/everything') })
try {
  const target = ['--url', `${server.url}/mcp`, '--requirements', revision, '-o', folder]
  // it prints pages, and its exit code says less than what it writes
  const printed = await promisify(execFile)(process.execPath, [suite, 'server', ...target], {
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout}\n${error.stderr}`,
  )
  const results = (await readResults(folder)).filter(({ scenario }) => !isNotServed(scenario))
  const grades = results.map(({ scenario, checks }) => grade(scenario, checks, accepted))
  const failed = grades.filter(({ problems }) => problems.length > 0)
  console.log(grades.map(toLines).join('\n'))
  console.log(`\n${grades.length - failed.length} of ${due} scenarios of ${revision} pass.`)
  if (grades.length !== due) console.error(`The suite ran ${grades.length} of them:\n${printed}`)
  process.exitCode = failed.length === 0 && grades.length === due ? 0 : 1
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}
