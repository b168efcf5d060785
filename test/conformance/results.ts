import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '../../src/protocol/json.ts'
import type { Check } from './grade.ts'

/** The checks of one scenario. */
export interface Result {
  readonly scenario: string
  readonly checks: readonly Check[]
}

/** Reads what the suite wrote: a folder for each scenario, in the order in which they ran. */
export async function readResults(folder: string): Promise<readonly Result[]> {
  const runs = (await readdir(folder)).map(readRun).toSorted((a, b) => (a.time < b.time ? -1 : 1))
  return Promise.all(
    runs.map(async ({ name, scenario }) => {
      const checks: unknown = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'))
      return { scenario, checks: readChecks(name, checks) }
    }),
  )
}

interface Run {
  readonly name: string
  readonly scenario: string
  readonly time: string
}

/** Takes a folder's name apart: `server-tools-list-2026-11-30T10-36-44-245Z`. */
function readRun(name: string): Run {
  const [, scenario, time] = /^server-(.+)-(\d{4}-\d\d-\d\dT[\d-]+Z)$/.exec(name) ?? []
  if (scenario !== undefined && time !== undefined) return { name, scenario, time }
  throw new SyntaxError(`The suite wrote "${name}", which is no scenario's folder.`)
}

function readChecks(name: string, value: unknown): readonly Check[] {
  if (Array.isArray(value) && value.every(isCheck)) return value
  throw new SyntaxError(`The checks.json of "${name}" is no list of checks.`)
}

function isCheck(value: unknown): value is Check {
  if (!isJsonObject(value)) return false
  const { id, status, errorMessage = '' } = value
  return [id, status, errorMessage].every((text) => typeof text === 'string')
}
