import { expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool, form, link, sample, type Question } from 'helve'
import { callTool, named, serve, type Exit } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

const described = { description: 'Says.' }
const yes = z.object({ yes: z.boolean() })
const url = 'https://shop.example.com/pay'
const message = { role: 'user', content: { type: 'text', text: 'x' } } as const
const limits = { maxTokens: 100 }
const meta = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {}, url: {} },
    sampling: {},
  },
}

const exits: readonly Exit[] = [
  {
    name: 'the message of a form',
    say: (said) => ask(form(said, yes)),
    read: (left) => readParams(left).message,
  },
  {
    name: 'the message of a form of a prompt',
    say: (said) => {
      const ask = () => ({ question: form(said, yes) })
      const say = definePrompt({ ...described, ask, messages: () => 'x' })
      return serve({ say }).ask('prompts/get', { name: 'say' }, { meta })
    },
    read: (left) => readParams(left).message,
  },
  {
    name: 'the message of a form of a resource',
    say: (said) => {
      const uri = 'say://x'
      const ask = () => ({ question: form(said, yes) })
      const say = defineResource({ uri, mime: 'text/plain', ask, read: () => 'x' })
      return serve({ say }).ask('resources/read', { uri }, { ...named(uri), meta })
    },
    read: (left) => readParams(left).message,
  },
  {
    name: 'the key of a question',
    say: (said) => askAs(said, form('Sure?', yes)),
    read: ({ message }) => Object.keys(message.result.inputRequests),
  },
  {
    name: 'the title of a field',
    say: (said) => askFor(z.boolean().meta({ title: said })),
    read: (left) => readField(left).title,
  },
  {
    name: 'the description of a field',
    say: (said) => askFor(z.string().meta({ description: said })),
    read: (left) => readField(left).description,
  },
  {
    name: 'the default of a field',
    say: (said) => askFor(z.string().default(said)),
    read: (left) => readField(left).default,
  },
  {
    name: 'a choice of a field',
    say: (said) => askFor(z.enum([said, 'other'])),
    read: (left) => readField(left),
  },
  {
    name: 'the title of a choice of a field',
    say: (said) => {
      const choices = [z.literal('a').meta({ title: said }), z.literal('b').meta({ title: 'B' })]
      return askFor(z.union(choices))
    },
    read: (left) => readField(left),
  },
  {
    name: 'the name of a field',
    say: (said) => ask(form('Sure?', z.object({ [said]: z.boolean() }))),
    read: (left) => Object.keys(readParams(left).requestedSchema.properties),
  },
  {
    name: 'the message of a link',
    say: (said) => ask(link(said, url)),
    read: (left) => readParams(left).message,
  },
  {
    name: 'the URL of a link',
    // of anything else a URL has the bytes, as plain characters
    takes: ['secret'],
    say: (said) => ask(link('Pay.', `${url}?session=${said}`)),
    read: (left) => readParams(left).url,
  },
  {
    name: 'the text of a sampling message',
    say: (said) => {
      return ask(sample({ ...limits, messages: [{ ...message, content: textOf(said) }] }))
    },
    read: (left) => readParams(left).messages[0].content.text,
  },
  {
    name: 'the second text of a sampling message',
    say: (said) => {
      const content = [textOf('x'), textOf(said)]
      return ask(sample({ ...limits, messages: [{ ...message, content }] }))
    },
    read: (left) => readParams(left).messages[0].content[1].text,
  },
  {
    name: 'the media type of an image of a sampling message',
    say: (said) => {
      const content = { type: 'image', data: 'AAAA', mimeType: said } as const
      return ask(sample({ ...limits, messages: [{ ...message, content }] }))
    },
    read: (left) => readParams(left).messages[0].content.mimeType,
  },
  {
    name: 'the system prompt of a sampling request',
    say: (said) => ask(sample({ ...limits, messages: [message], systemPrompt: said })),
    read: (left) => readParams(left).systemPrompt,
  },
  {
    name: 'the metadata of a sampling request',
    say: (said) => ask(sample({ ...limits, messages: [message], metadata: { [said]: said } })),
    read: (left) => Object.entries(readParams(left).metadata),
  },
  {
    name: 'the hint of a model of a sampling request',
    say: (said) => {
      const modelPreferences = { hints: [{ name: said }] }
      return ask(sample({ ...limits, messages: [message], modelPreferences }))
    },
    read: (left) => readParams(left).modelPreferences.hints[0].name,
  },
]

function textOf(text: string) {
  return { type: 'text', text } as const
}

function ask(question: Question<unknown>) {
  return askAs('question', question)
}

function askAs(key: string, question: Question<unknown>) {
  const asking = () => ({ [key]: question })
  return callTool(defineTool({ ...described, ask: asking, run: () => 'x' }), {}, { meta })
}

function askFor(field: z.ZodType) {
  return ask(form('Sure?', z.object({ field })))
}

type Left = Parameters<Exit['read']>[0]

function readParams({ message }: Left) {
  return message.result.inputRequests.question.params
}

function readField(left: Left) {
  return readParams(left).requestedSchema.properties.field
}

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
