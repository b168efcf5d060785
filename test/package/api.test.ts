import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiFolder, createApiReports } from './api-report.ts'

const reports = await createApiReports()

test('each entry point has a report of its public interface', async () => {
  expect((await readdir(apiFolder)).toSorted()).toEqual([...reports.keys()].toSorted())
})

test.each([...reports])('the interface in %s is the one that was agreed', async (name, report) => {
  const agreed = await readFile(join(apiFolder, name), 'utf8')
  expect(report, 'If the change is meant, run `npm run api` and commit the report.').toBe(agreed)
})
