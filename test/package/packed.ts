import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarball that would be published. */
    tarball: string
    /** The folder of the package after it was unpacked. */
    unpacked: string
  }
}

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
let folder: string | undefined

/** Packs Helve once for all tests of the package, as `npm publish` would. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'helve-package-'))
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root })
  // the script `prepack` may print before it
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n')))
  const tarball = join(folder, filename)
  await run('tar', ['-xzf', tarball, '-C', folder])
  project.provide('tarball', tarball)
  project.provide('unpacked', join(folder, 'package'))
}

export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}
