import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wireErrors } from './error-kinds.ts'
import { toErrorPage, toSections } from './error-page.ts'
import { findSentences, readSourceSentences } from './sentences.ts'

test('docs/errors.md has every sentence of the source: if not, run `npm run errors`', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')
  expect(page).toBe(toErrorPage(page))
})

test('the errors of a request have each status and code that the server sends', () => {
  const codes = new Set(wireErrors.map(({ status, code }) => `${status} ${code}`))
  expect(codes).toContain('200 -32602')
  expect(codes).toContain('503 -32603')
  expect(wireErrors.length).toBeGreaterThanOrEqual(30)
})

describe('a sentence is found', () => {
  test.each([
    ['in a string', "throw new Error('It is gone. Create it.')", ['It is gone. Create it.']],
    ['in a template', 'const why = `The id ${id} is gone.`', ['The id … is gone.']],
    [
      'in parts that are joined',
      "return 'The id is ' + id + `, which is ${what}. ` + 'Create it.'",
      ['The id is …, which is …. Create it.'],
    ],
    ['as a part without its end', "const why = 'must be a number'", ['must be a number']],
    ['before its cause', 'return `Loading failed: ${cause}`', ['Loading failed: …']],
    [
      'in a type',
      "type Checked = 'A tool with `cache` cannot ask'",
      ['A tool with `cache` cannot ask'],
    ],
    [
      'within a template',
      "f(`It is ${is ? 'not here.' : 'here now.'}`)",
      ['not here.', 'here now.'],
    ],
  ])('%s', (_, code, found) => {
    expect(findSentences(code)).toEqual(found)
  })

  test.each([
    ['a name', "const name = 'tools/call'"],
    ['a list of words', "const names = 'minLength maxLength minItems'.split(' ')"],
    ['code', 'const code = `import { a } from ${path}. It is code.`'],
    ['a comment', '// It is a comment. Nobody sees it.'],
    ['the help of a command', "defineCommand({ about: 'It reads the tools. It is help.' })"],
  ])('but not in %s', (_, code) => {
    expect(findSentences(code)).toEqual([])
  })

  test('in each part of Helve', () => {
    const rooms = new Set(readSourceSentences().map(({ file }) => file.split('/')[0]))
    expect([...rooms]).toEqual(
      expect.arrayContaining(['auth', 'build', 'cli', 'mcp', 'objects', 'options.ts', 'serve']),
    )
  })
})

test('a sentence of a room that no section has is an error', () => {
  expect(() => toSections([{ file: 'unknown/a.ts', text: 'It is gone.' }])).toThrow(
    'src/unknown/a.ts has sentences',
  )
})

test('what Markdown would read is escaped, except for code', () => {
  const text = 'a <b> `c_d <e>` f_g\nh | i.'
  expect(toSections([{ file: 'cli/a.ts', text }])).toContain(
    '- a \\<b\\> `c_d <e>` f\\_g h \\| i.\n',
  )
})
