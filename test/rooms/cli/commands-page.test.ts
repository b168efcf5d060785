import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHelve } from '../../support/run-helve.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/commands.md'), 'utf8')

test('docs/commands.md has a section for each command, in the order of the help, with its help', async () => {
  const { stdout } = await runHelve(['--help'])
  const list = /Commands:\n((?: {2}\S.*\n)+)/.exec(stdout)?.[1] ?? ''
  const commands = list.match(/^ {2}\S+/gm)?.map((name) => name.trim()) ?? []
  expect(commands).toContain('call')
  const sections = [...page.matchAll(/^## helve (\S+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(commands)
  for (const command of commands) {
    // oxlint-disable-next-line no-await-in-loop -- a machine with two cores
    const help = await runHelve([command, '--help'])
    expect(page).toContain(`## helve ${command}\n\n\`\`\`\n${help.stdout}\`\`\`\n`)
  }
})
