import * as z from 'zod'
import { expect, test } from 'vitest'
import { definePrompt, type Prompt } from '../../../../src/define/prompt.ts'
import { findPromptProblems, toPromptEntry } from '../../../../src/build/entries/prompt-entry.ts'

// server/prompts, "Prompt"; schema, "PromptArgument"

const messages = (): string => 'Hello'

test('lists a prompt with its arguments in the order of the author', () => {
  const prompt = definePrompt({
    messages,
    input: z.object({
      when: z.string().meta({ title: 'Day', description: 'Such as "Friday".' }),
      cuisine: z.enum(['thai', 'greek']).optional(),
      guests: z.string().default('2'),
    }),
    icons: [{ src: 'https://example.com/icon.png' }],
    description: 'Plans a dinner.',
    title: 'Dinner',
  })
  expect(toPromptEntry('plan', prompt).listed).toBe(
    '{"name":"plan","title":"Dinner","description":"Plans a dinner.",' +
      '"icons":[{"src":"https://example.com/icon.png"}],"arguments":[' +
      '{"name":"when","title":"Day","description":"Such as \\"Friday\\".","required":true},' +
      '{"name":"cuisine","required":false},{"name":"guests","required":false}]}',
  )
})

test('leaves out missing members', () => {
  const { listed } = toPromptEntry('hello', definePrompt({ description: 'Greets.', messages }))
  expect(listed).toBe('{"name":"hello","description":"Greets."}')
})

test('reads arguments from plain JSON Schema', () => {
  const prompt = definePrompt({
    description: 'Greets.',
    messages,
    input: {
      type: 'object',
      properties: {
        tone: {
          oneOf: [
            { const: 'warm', title: 'Warm' },
            { const: 'dry', title: 'Dry' },
          ],
        },
        name: { type: 'string', description: 'Whom to greet.' },
      },
      required: ['name'],
    },
    complete: { name: () => ['Ada'] },
  })
  const { arguments: known, listed } = toPromptEntry('hello', prompt)
  expect(JSON.parse(listed)).toMatchObject({
    arguments: [
      { name: 'tone', required: false },
      { name: 'name', description: 'Whom to greet.', required: true },
    ],
  })
  expect(known).toEqual([
    { name: 'tone', suggestions: ['warm', 'dry'] },
    { name: 'name', suggestions: 'completer' },
  ])
})

const description = 'A prompt of this test.'
// as an untyped author would write it
const complete = JSON.parse('{"nothing":1}')

test.each<[string, Prompt, readonly RegExp[]]>([
  ['a prompt without arguments', definePrompt({ description, messages }), []],
  [
    'numbers that are converted from text',
    definePrompt({ description, messages, input: z.object({ n: z.coerce.number() }) }),
    [],
  ],
  [
    'a completer for an unknown argument',
    definePrompt({ description, messages, complete }),
    [/"nothing", but there is no such argument\. There are no arguments\./],
  ],
  [
    'arguments that do not accept text',
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
    [/does not accept text for "count"/, /does not accept text for "flags"/],
  ],
])('finds the problems of %s', (_, prompt, sentences) => {
  const problems = findPromptProblems(prompt)
  expect(problems).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})
