/*
 * Changes the meaning of one line of src/ at a time, runs the tests that should notice, and puts the
 * line back. A change that no test notices is a hole in the tests.
 * Usage: node test/mutations/run.ts [text that the change's title or file contains]
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { mutations, type Mutation } from './mutations.ts'

type Verdict = 'passed' | 'failed' | 'did not end'

const root = join(import.meta.dirname, '../..')
const patienceMs = 90_000

/** The line that is changed at the moment, for the case that this run is broken off. */
let restore = (): void => {}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    restore()
    process.exit(1)
  })
}

async function main(filter: string): Promise<void> {
  const chosen = mutations.filter(({ file, title }) => `${file} ${title}`.includes(filter))
  for (const mutation of chosen) checkMutation(mutation)
  // tests that fail anyway would notice everything
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))]
  if (await fails(all)) throw new Error('The tests fail without any change. Correct them first.')
  let missed = 0
  for (const mutation of chosen) {
    const verdict = await runMutated(mutation)
    if (verdict === 'passed') missed += 1
    console.log(`${words[verdict]} ${mutation.file}: ${mutation.title}`)
  }
  console.log(`${chosen.length - missed} of ${chosen.length} changes were noticed.`)
  process.exitCode = missed === 0 ? 0 : 1
}

const words: Readonly<Record<Verdict, string>> = {
  passed: 'NOT NOTICED',
  failed: 'noticed    ',
  'did not end': 'by timeout ',
}

function checkMutation({ file, from, tests }: Mutation): void {
  if (readSource(file).split(from).length !== 2) {
    throw new Error(`src/${file} does not have this text exactly once: ${from}`)
  }
  const absent = tests.find((test) => !existsSync(join(root, test)))
  // Vitest fails where it finds no tests, which would count as noticed
  if (absent !== undefined) throw new Error(`There are no tests at ${absent}.`)
}

async function fails(tests: readonly string[]): Promise<boolean> {
  const projects = [...new Set(tests.map(toProject))]
  for (const project of projects) {
    const verdict = await runTests(
      tests.filter((test) => toProject(test) === project),
      10 * patienceMs,
    )
    if (verdict !== 'passed') return true
  }
  return false
}

async function runMutated(mutation: Mutation): Promise<Verdict> {
  const path = join(root, 'src', mutation.file)
  const original = readSource(mutation.file)
  restore = () => writeFileSync(path, original)
  try {
    writeFileSync(
      path,
      original.replace(mutation.from, () => mutation.to),
    )
    return await runTests(mutation.tests, patienceMs)
  } finally {
    restore()
    restore = () => {}
  }
}

function readSource(file: string): string {
  return readFileSync(join(root, 'src', file), 'utf8')
}

function runTests(tests: readonly string[], limitMs: number): Promise<Verdict> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const projects = [...new Set(tests.map(toProject))].flatMap((project) => ['--project', project])
  const args = [vitest, 'run', ...projects, '--bail=1', ...tests]
  // in a group of its own, so that a workerd that hangs ends together with the tests
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      resolve('did not end')
    }, limitMs)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? 'passed' : 'failed')
    })
  })
}

/** The project of vitest.config.ts that a test belongs to. */
function toProject(test: string): string {
  if (test.startsWith('test/leaks/')) return 'leaks'
  if (test.startsWith('test/rooms/state/')) return 'state'
  const isInNode = /^test\/rooms\/(?:build|testing\/node)\//.test(test)
  return isInNode ? 'node' : 'workerd'
}

await main(process.argv[2] ?? '')
