import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
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
    /** The same of create-helve. */
    unpackedCreator: string
  }
}

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
let folder: string | undefined

/** Packs Helve and create-helve once for all tests of the packages, as `npm publish` would. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'helve-package-'))
  const [helve, creator] = await Promise.all([
    pack(root, join(folder, 'helve')),
    pack(join(root, 'create'), join(folder, 'create-helve')),
  ])
  project.provide('tarball', helve.tarball)
  project.provide('unpacked', helve.unpacked)
  project.provide('unpackedCreator', creator.unpacked)
}

async function pack(cwd: string, target: string) {
  await mkdir(target)
  const packed = await run('npm', ['pack', '--json', '--pack-destination', target], { cwd })
  // the script `prepack` may print before it
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n')))
  const tarball = join(target, filename)
  await run('tar', ['-xzf', tarball, '-C', target])
  return { tarball, unpacked: join(target, 'package') }
}

export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}
