import { expect, test } from 'vitest'
import type { Entry, Section } from '../../../src/build/evaluated.ts'
import {
  findDuplicates,
  toThrownSentence,
  toUnfinishedSentence,
} from '../../../src/build/inspect.ts'

const io = 'Disallowed operation called within global scope. Asynchronous I/O (ex: fetch() ...'

test.each([
  [io, 'tools/a.ts:2:1', /^tools\/a\.ts:2:1: The module does I\/O .* Move it into `run`\.$/],
  [io, undefined, /^The module does I\/O /],
  [
    'No such module "node:path".\n  imported from "TUKKO2RA.js"',
    undefined,
    /^Loading the module failed: No such module "node:path"\. Add "nodejs_compat" /,
  ],
  ['Set MAIL_API_KEY.', undefined, /None of these has `MAIL_API_KEY`\. Add a line such as MAIL_/],
  ['ERR_NO_CALL is required.', undefined, /^Loading the module failed: ERR_NO_CALL is required\.$/],
  ['Invalid URL', 'tools/a.ts:2:1', /^tools\/a\.ts:2:1: Loading the module failed: Invalid URL$/],
])('explains %j at %s', (message, position, sentence) => {
  expect(toThrownSentence(message, position)).toMatch(sentence)
})

test('does not say that a secret is missing which the build knows', () => {
  const known = {
    vars: {},
    secrets: { API_KEY: 'placeholder-of-api_key' },
    bindings: {},
    others: [],
  }
  const message = 'The environment variable API_KEY must begin with "sk-".'
  const sentence = toThrownSentence(
    message,
    'tools/a.ts:1:1',
    { placeholders: [], missing: [] },
    known,
  )
  expect(sentence).toContain('`API_KEY` is a placeholder. Use `env` in `run` instead.')
})

test('distinguishes a module that never ends from one that makes workerd exit', () => {
  const run = { lines: [], stderr: 'out of memory\n' }
  expect(toUnfinishedSentence({ ...run, end: 'timed out' })).toContain(
    'did not end within 10 seconds',
  )
  expect(toUnfinishedSentence({ ...run, end: 'failed' })).toMatch(/Its output: out of memory$/)
})

function entry(key: string, file: string, section: Section = 'tools'): Entry {
  const uniqueKeys = [{ key, why: `Both are "${key}".` }]
  return { section, key, uniqueKeys, file, usesJsonSchema: false, members: {} }
}

test('names every file that has the same unique key', () => {
  const entries = [entry('a', 'tools/a.ts'), entry('b', 'tools/b.ts'), entry('a', 'tools/c.ts')]
  expect(findDuplicates(entries)).toEqual([
    { files: ['tools/a.ts', 'tools/c.ts'], why: 'Both are "a".' },
  ])
})

test('a tool and a prompt may have the same name', () => {
  const entries = [entry('a', 'tools/a.ts'), entry('a', 'tools/b.ts', 'prompts')]
  expect(findDuplicates(entries)).toEqual([])
})
