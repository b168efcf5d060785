import { expect, test } from 'vitest'
import { definePrompt, defineResource, defineTool } from 'helve'
import { toFirstScopes } from '../../../src/auth/request/guard.ts'
import { toRegistry } from '../../spec/registry.ts'

const write = defineTool({ description: 'Writes.', scopes: ['write'], run: () => 'done' })
const find = defineTool({
  description: 'Finds.',
  scopes: ['read', 'find'],
  hints: { readOnly: true },
  run: () => 'found',
})
const secret = defineTool({
  description: 'Is not for everybody.',
  scopes: ['secret'],
  conceal: true,
  hints: { readOnly: true },
  run: () => 'found',
})
const open = defineTool({ description: 'Is open.', hints: { readOnly: true }, run: () => 'hello' })
const page = defineResource({
  uri: 'test://page',
  mime: 'text/plain',
  scopes: ['pages'],
  read: () => 'page',
})
const words = definePrompt({ description: 'Words.', scopes: ['words'], messages: () => 'words' })

test.each([
  [
    'what resources, prompts and reading tools need',
    { write, find, page, words, open },
    ['find', 'pages', 'read', 'words'],
  ],
  ['each scope once', { find, again: find, write }, ['find', 'read']],
  ['all, where nothing that reads needs any', { write, open }, ['write']],
  ['nothing that is concealed', { secret, write }, ['write']],
  ['none, where nothing needs any', { open }, []],
])('a first sign-in asks for %s', (_, made, scopes) => {
  expect(toFirstScopes(toRegistry(made))).toEqual(scopes)
})
