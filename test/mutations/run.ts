/*
 * Changes the meaning of one line of src/ at a time, runs the tests that should notice, and puts the
 * line back. A change that no test notices is a hole in the tests.
 * Usage: node test/mutations/run.ts [text that the change's title or file contains]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { mutations, type Mutation } from './mutations.ts'

const root = join(import.meta.dirname, '../..')

async function runTests({ project, tests }: Mutation): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', project, '--bail=1', ...tests]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code === 0
}

/** Whether the tests notice the change. */
async function isNoticed(mutation: Mutation): Promise<boolean> {
  const path = join(root, 'src', mutation.file)
  const original = readFileSync(path, 'utf8')
  if (original.split(mutation.from).length !== 2) {
    throw new Error(`${mutation.file} does not have this text exactly once: ${mutation.from}`)
  }
  try {
    writeFileSync(
      path,
      original.replace(mutation.from, () => mutation.to),
    )
    return !(await runTests(mutation))
  } finally {
    writeFileSync(path, original)
  }
}

const [filter = ''] = process.argv.slice(2)
const chosen = mutations.filter(({ file, title }) => `${file} ${title}`.includes(filter))
let missed = 0
for (const mutation of chosen) {
  const noticed = await isNoticed(mutation)
  if (!noticed) missed += 1
  console.log(`${noticed ? 'noticed    ' : 'NOT NOTICED'} ${mutation.file}: ${mutation.title}`)
}
console.log(`${chosen.length - missed} of ${chosen.length} changes were noticed.`)
process.exitCode = missed === 0 ? 0 : 1
