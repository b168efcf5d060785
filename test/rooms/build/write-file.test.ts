import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileIfChanged } from '../../../src/build/last-good.ts'
import { createTemporaryProject } from './temporary-project.ts'

test('makes the folder, writes the text and leaves nothing else behind', async () => {
  const project = await createTemporaryProject({})
  await writeFileIfChanged(join(project.out, 'registry.ts'), 'one')
  expect(await readFile(join(project.out, 'registry.ts'), 'utf8')).toBe('one')
  expect(await readdir(project.out)).toEqual(['registry.ts'])
})

test('leaves a file alone that says the same already, and replaces one that does not', async () => {
  const project = await createTemporaryProject({})
  const path = join(project.out, 'registry.ts')
  await writeFileIfChanged(path, 'one')
  const { ino } = await stat(path)
  await writeFileIfChanged(path, 'one')
  expect((await stat(path)).ino).toBe(ino)
  await writeFileIfChanged(path, 'two')
  expect(await readFile(path, 'utf8')).toBe('two')
})
