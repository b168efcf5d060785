import * as z from 'zod'
import { expect, test } from 'vitest'
import { describePrompt } from '../../../src/cli/kinds/prompt.ts'
import { definePrompt } from '../../../src/define/prompt.ts'
import type { JsonObject } from '../../../src/wire/json.ts'

const made = definePrompt({ description: 'Plans a dinner.', messages: () => 'Plan a dinner.' })

function describeDefinition(members: JsonObject) {
  const definition = { ...made.definition, ...members }
  return describePrompt(
    { name: 'plan_dinner', made: { ...made, definition } },
    { limits: [], handles: new Set(), tools: [], printOther: () => null },
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
  })
})

test.each([
  [{ name: 'plan dinner' }, '"plan dinner" cannot be a name'],
  [{ description: undefined }, '`description` is missing. Say what the prompt is for'],
  [{ messages: [] }, '`messages` is no function.'],
  [{ ask: {} }, '`ask` is no function.'],
  [{ arguments: [] }, '`arguments` is called `input` here'],
  [{ handler: () => '' }, '`handler` is called `messages` here.'],
  [{ output: {} }, '`output` is nothing that a prompt has. It has: name, title, description,'],
  [{ input: z.string() }, '`input`: The input schema must have "type": "object"'],
  [{ complete: { dish: () => [] } }, '`complete` has "dish", which nothing is called.'],
  [{ complete: 'dish' }, '`complete` is no object of functions.'],
  [
    { input: { type: 'object', properties: { guests: { type: 'integer' } } } },
    '`input` takes no text for "guests"',
  ],
])('refuses %j', (members, start) => {
  const described = describeDefinition(members)
  const [problem, ...others] = 'problems' in described ? described.problems : []
  expect(problem).toContain(start)
  expect(others).toEqual([])
})
