import * as z from 'zod'
import { expect, test } from 'vitest'
import { describePrompt } from '../../../../src/build/kinds/prompt.ts'
import { definePrompt } from '../../../../src/define/prompt.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const made = definePrompt({ description: 'Plans a dinner.', messages: () => 'Plan a dinner.' })

function describeDefinition(members: JsonObject) {
  const definition = { ...made.definition, ...members }
  return describePrompt(
    { name: 'plan_dinner', exported: { ...made, definition } },
    { limits: [], handles: new Set(), tools: [], creators: [], printOther: () => null },
  )
}

test('a prompt is an entry under the name of its file, with its arguments', () => {
  const members = {
    title: 'Dinner',
    icons: [],
    input: z.object({ dish: z.string(), season: z.enum(['spring', 'autumn']) }),
    complete: { dish: () => ['risotto'] },
    ask: () => ({}),
  }
  expect(describeDefinition(members)).toMatchObject({
    section: 'prompts',
    key: 'plan_dinner',
    members: {
      name: 'plan_dinner',
      arguments: [
        { name: 'dish', suggestions: 'completer' },
        { name: 'season', suggestions: ['spring', 'autumn'] },
      ],
    },
    stored: { Hub: ['`ask` without STATE_KEY'], Bridge: ['`ask`'] },
  })
})

test.each([
  [{ name: 'plan dinner' }, '"plan dinner" is not a valid name.'],
  [{ description: undefined }, '`description` is missing. It tells people what the prompt is for.'],
  [{ messages: [] }, '`messages` must be a function.'],
  [{ ask: {} }, '`ask` must be a function.'],
  [{ arguments: [] }, '`arguments` is called `input` here'],
  [{ handler: () => '' }, '`handler` is called `messages` here.'],
  [{ output: {} }, '`output` is not a prompt option. Options: name, title, description,'],
  [{ input: z.string() }, '`input`: The input schema must have "type": "object"'],
  [
    { complete: { dish: () => [] } },
    '`complete` has "dish", but there is no such argument. There are no arguments.',
  ],
  [{ complete: 'dish' }, '`complete` must be an object of functions.'],
  [
    { input: { type: 'object', properties: { guests: { type: 'integer' } } } },
    '`input` does not accept text for "guests"',
  ],
  ...[
    z.number(),
    z.int().min(1).optional(),
    z.boolean(),
    z.literal(5),
    z.array(z.string()),
    z.object({ adults: z.number() }),
    z.union([z.number(), z.boolean()]),
    z.number().nullable(),
  ].map((guests): [JsonObject, string] => [
    { input: z.object({ dish: z.string(), guests }) },
    '`input` does not accept text for "guests", and clients send only text. Use a string, or ' +
      'convert it, as z.coerce.number() does.',
  ]),
])('refuses %j', (members, start) => {
  const described = describeDefinition(members)
  const [problem, ...others] = 'problems' in described ? described.problems : []
  expect(problem).toContain(start)
  expect(others).toEqual([])
})

test.each([
  z.string().min(900),
  z.coerce.number().min(1_000),
  z.coerce.number().int().max(-3).optional(),
  z.coerce.boolean(),
  z.stringbool(),
  z.union([z.number(), z.string()]),
  z.enum(['few', 'many']).default('few'),
  z.preprocess((text) => JSON.parse(String(text)), z.array(z.string())),
  z.coerce.number().pipe(z.literal(5)),
  z.coerce.number().multipleOf(7).min(1),
  z.string().transform(Number).pipe(z.number().min(1)),
  z.coerce.number().refine(async (guests) => guests > 100),
  z.any(),
])('accepts an argument that text can fill in: %#', (guests) => {
  const described = describeDefinition({ input: z.object({ dish: z.string(), guests }) })
  expect(described).toHaveProperty('members')
})
