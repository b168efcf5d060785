import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads the version of Helve from its package.json, which is as far away from the sources as from dist/. */
export async function readVersion(): Promise<string> {
  const manifest = join(import.meta.dirname, '../../package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  return String(version)
}
