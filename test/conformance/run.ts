/*
 * Runs the official conformance suite against test/everything and grades what it found, a line for
 * each scenario. Ends with 1 unless all of them pass. Usage: npm run conformance [-- <revision>]
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { startWranglerDev } from '../support/wrangler-dev.ts'
import { type Requirements, isNotServed, requirements } from './accepted.ts'
import { type Grade, grade, toLines } from './grade.ts'
import { readResults } from './results.ts'

const root = resolve(import.meta.dirname, '../..')
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

const [only] = process.argv.slice(2)
const server = await startWranglerDev({ cwd: join(root, 'test/everything') })
try {
  for (const required of requirements) {
    if (only !== undefined && only !== required.revision) continue
    // one after the other: the suite's time limits are for a machine that runs nothing else
    // oxlint-disable-next-line no-await-in-loop
    if (!(await passes(required))) process.exitCode = 1
  }
} finally {
  await server.stop()
}

/** Runs and grades the scenarios of one revision. */
async function passes({ revision, scored, unscored, accepted }: Requirements): Promise<boolean> {
  const { printed, results } = await runSuite(revision)
  const grades = results
    .filter(({ scenario }) => !isNotServed(scenario))
    .map(({ scenario, checks }) => grade(scenario, checks, accepted))
  const isScored = ({ scenario }: Grade): boolean => !unscored.includes(scenario)
  const passed = grades.filter(({ problems }) => problems.length === 0)
  const due = scored + unscored.length
  console.log(grades.map(toLines).join('\n'))
  console.log(
    `\n${passed.length} of ${due} scenarios of ${revision} pass, ` +
      `${passed.filter(isScored).length} of ${scored} that are scored.\n`,
  )
  const ran = grades.filter(isScored).length
  const isWhole = ran === scored && grades.length === due
  if (!isWhole) console.error(`The suite ran ${grades.length} of them, ${ran} scored:\n${printed}`)
  return isWhole && passed.length === due
}

async function runSuite(revision: string): Promise<{
  readonly printed: string
  readonly results: Awaited<ReturnType<typeof readResults>>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const target = ['--url', `${server.url}/mcp`, '--requirements', revision, '-o', folder]
  try {
    // it prints pages, and its exit code says less than what it writes
    const printed = await promisify(execFile)(process.execPath, [suite, 'server', ...target], {
      timeout: 300_000,
      maxBuffer: 64 * 1024 * 1024,
    }).then(
      ({ stdout }) => stdout,
      (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout}\n${error.stderr}`,
    )
    return { printed, results: await readResults(folder) }
  } finally {
    await rm(folder, { recursive: true })
  }
}
