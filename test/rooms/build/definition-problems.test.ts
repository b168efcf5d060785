import * as z from 'zod'
import { expect, test } from 'vitest'
import { definePrompt, type Prompt } from '../../../src/define/prompt.ts'
import { defineResource, type Resource } from '../../../src/define/resource.ts'
import { findPromptProblems } from '../../../src/build/entries/prompt-entry.ts'
import { findResourceProblems } from '../../../src/build/entries/resource-entry.ts'

const mime = 'text/plain'
const read = (): string => 'text'
const list = (): { resources: [] } => ({ resources: [] })
const messages = (): string => 'Hello'
const description = 'A prompt of this test.'
// as an untyped author would write it
const complete = JSON.parse('{"nothing":1}')
const sku = z.object({ sku: z.string() })

test.each<[string, Resource, readonly RegExp[]]>([
  ['a fixed URI', defineResource({ uri: 'a:b', mime, size: 3, read }), []],
  [
    'a template that uses everything',
    defineResource({ uri: 'a:{sku}', mime, params: sku, complete: { sku: () => [] }, list, read }),
    [],
  ],
  [
    'a template that cannot be matched',
    defineResource({ uri: 'a:{b}{c}', mime, read }),
    [/`uri` is "a:{b}{c}"\. Nothing stands between/],
  ],
  [
    'a fixed URI with what is for templates',
    defineResource({ uri: 'a:b', mime, params: sku, complete, list, read }),
    [/`params` is for templates, and "a:b" is none/, /`complete` is for/, /`list` is for/],
  ],
  [
    'a template with a size',
    defineResource({ uri: 'a:{b}', mime, size: 3, read }),
    [/`size` is for one resource/],
  ],
  [
    'a schema that asks for what the template has not',
    defineResource({ uri: 'a:{id}', mime, params: sku, read }),
    [/`params` requires "sku", which is no variable of "a:{id}"/],
  ],
  [
    'a completer for no variable',
    defineResource({ uri: 'a:{id}', mime, complete, read }),
    [/`complete` has "nothing", which nothing is called\. There are: id\./],
  ],
])('judges %s', (_kind, resource, sentences) => {
  const problems = findResourceProblems(resource)
  expect(problems).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})

test.each<[string, Prompt, readonly RegExp[]]>([
  ['a prompt without arguments', definePrompt({ description, messages }), []],
  [
    'numbers that are made of text',
    definePrompt({ description, messages, input: z.object({ n: z.coerce.number() }) }),
    [],
  ],
  [
    'a completer for no argument',
    definePrompt({ description, messages, complete }),
    [/"nothing", which nothing is called\. There are none\./],
  ],
  [
    'arguments that text can never be',
    definePrompt({
      description,
      messages,
      input: {
        type: 'object',
        properties: {
          free: {},
          text: { type: 'string' },
          maybe: { type: ['string', 'null'] },
          count: { type: 'integer' },
          flags: { type: ['boolean', 'null'] },
        },
      },
    }),
    [/takes no text for "count"/, /takes no text for "flags"/],
  ],
])('judges %s', (_kind, prompt, sentences) => {
  const problems = findPromptProblems(prompt)
  expect(problems).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})
