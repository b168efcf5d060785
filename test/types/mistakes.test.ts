import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

/*
 * What the compiler says to everyday mistakes. Each file in mistakes/ has one, and ends with a comment
 * of the lines that the compiler must report for it first. `...` stands for any text.
 */

const folder = join(import.meta.dirname, 'mistakes')
const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))

/** The messages for each file, in the order of the file, without its name. */
const reported = new Map<string, string>()

beforeAll(async () => {
  const printed = await promisify(execFile)(
    process.execPath,
    [tsc, '--project', folder, '--pretty', 'false'],
    { cwd: folder },
  ).then(
    () => '',
    (error: Error & { stdout?: string }) => error.stdout || error.message,
  )
  for (const message of printed.split(/\n(?! )/)) {
    const [, file = '', text = ''] = /^([\w-]+\.ts)(.*)$/s.exec(message) ?? []
    const before = reported.get(file)
    reported.set(file, before === undefined ? text : `${before}\n${text}`)
  }
})

test.each(files)('%s is reported with the member and the cure', (file) => {
  const [, expected = ''] =
    /\n\/\*\n(.+)\n\*\/\n$/s.exec(readFileSync(join(folder, file), 'utf8')) ?? []
  expect(expected).not.toBe('')
  expect(reported.get(file)).toMatch(toPattern(expected))
})

function toPattern(expected: string): RegExp {
  const parts = expected.split('...').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}`)
}
