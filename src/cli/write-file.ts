import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a text file, unless it says the same already: a watcher need not wake. It is renamed into
 * place, so that nobody who reads it meanwhile sees half of it.
 */
export async function writeFileIfChanged(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => null)
  if (before === text) return
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}.tmp`
  await writeFile(fresh, text)
  await rename(fresh, path)
}
