import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  audio,
  definePrompt,
  defineResource,
  defineTool,
  embed,
  image,
  reply,
  resourceLink,
  text,
  ToolError,
  type Content,
} from 'helve'
import { callTool, named, serve, type Exit } from './exit.ts'
import { poisons } from './poisons.ts'
import { findLeaks, toRows } from './table.ts'

const link = { uri: 'say://x', name: 'x' }

/** Each text of each kind of content. */
const contents: readonly (readonly [
  what: string,
  make: (said: string) => Content,
  read: (block: ReturnType<typeof JSON.parse>) => unknown,
])[] = [
  ['text', (said) => text(said), (block) => block.text],
  ['the annotations of text', (said) => text('x', dated(said)), readDate],
  [
    'the media type of an image',
    (said) => image('AAAA', `image/png; x=${said}`),
    (block) => block.mimeType,
  ],
  ['the annotations of an image', (said) => image('AAAA', 'image/png', dated(said)), readDate],
  [
    'the media type of audio',
    (said) => audio('AAAA', `audio/wav; x=${said}`),
    (block) => block.mimeType,
  ],
  ['the annotations of audio', (said) => audio('AAAA', 'audio/wav', dated(said)), readDate],
  [
    'the URI of a link',
    (said) => resourceLink({ ...link, uri: `say://${said}` }),
    (block) => block.uri,
  ],
  ['the name of a link', (said) => resourceLink({ ...link, name: said }), (block) => block.name],
  ['the title of a link', (said) => resourceLink({ ...link, title: said }), (block) => block.title],
  [
    'the description of a link',
    (said) => resourceLink({ ...link, description: said }),
    (block) => block.description,
  ],
  [
    'the media type of a link',
    (said) => resourceLink({ ...link, mimeType: said }),
    (block) => block.mimeType,
  ],
  [
    'an icon of a link',
    (said) => resourceLink({ ...link, icons: [{ src: `https://x.example/${said}` }] }),
    (block) => block.icons[0].src,
  ],
  [
    'the annotations of a link',
    (said) => resourceLink({ ...link, annotations: dated(said) }),
    readDate,
  ],
  [
    'the text of an embedded resource',
    (said) => embed({ uri: 'say://x', text: said }),
    (block) => block.resource.text,
  ],
  [
    'the URI of an embedded resource',
    (said) => embed({ uri: `say://${said}`, text: 'x' }),
    (block) => block.resource.uri,
  ],
  [
    'the URI of an embedded blob',
    (said) => embed({ uri: `say://${said}`, blob: 'AAAA' }),
    (block) => block.resource.uri,
  ],
  [
    'the media type of an embedded resource',
    (said) => embed({ uri: 'say://x', text: 'x', mimeType: said }),
    (block) => block.resource.mimeType,
  ],
  [
    'the annotations of an embedded resource',
    (said) => embed({ uri: 'say://x', text: 'x' }, dated(said)),
    readDate,
  ],
]

/** Not a member of the schema, whose members cannot have any text. */
function dated(note: string) {
  return Object.assign({ priority: 1 }, { note })
}

function readDate({ annotations }: ReturnType<typeof JSON.parse>): unknown {
  return annotations.note
}

const counted = z.object({ count: z.number() })
const mime = 'text/plain'
const described = { description: 'Says.' }

function ask(method: string, made: Parameters<typeof serve>[0], name: string) {
  return serve(made).ask(method, { name, uri: name }, named(name))
}

const places: readonly Exit[] = contents.flatMap(([what, make, read]): Exit[] => [
  {
    name: `content of a tool, ${what}`,
    say: (said) => callTool(defineTool({ ...described, run: () => make(said) })),
    read: ({ message }) => read(message.result.content[0]),
  },
  {
    name: `content of reply(), ${what}`,
    say: (said) => {
      const run = () => reply({ count: 1 }, make(said))
      return callTool(defineTool({ ...described, output: counted, run }))
    },
    read: ({ message }) => read(message.result.content.at(-1)),
  },
  {
    name: `a message of a prompt, ${what}`,
    say: (said) => {
      const content = make(said)
      const messages = () => ({ role: 'user', content }) as const
      return ask('prompts/get', { say: definePrompt({ ...described, messages }) }, 'say')
    },
    read: ({ message }) => read(message.result.messages[0].content),
  },
])

/** A tool whose results are kept, asked twice: the second result comes from the cache. */
async function callKept(run: () => string) {
  const hints = { readOnly: true } as const
  const say = defineTool({ ...described, hints, cache: '5m', shared: true, run })
  const { ask } = serve({ say })
  await ask('tools/call', { name: 'say' })
  return ask('tools/call', { name: 'say' })
}

async function readKept(said: string) {
  const say = defineResource({ uri: 'say://x', mime, shared: true, cache: '5m', read: () => said })
  const { ask } = serve({ say })
  await ask('resources/read', { uri: 'say://x' }, named('say://x'))
  return ask('resources/read', { uri: 'say://x' }, named('say://x'))
}

const exits: readonly Exit[] = [
  {
    name: 'the text of a tool',
    say: (said) => callTool(defineTool({ ...described, run: () => said })),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'a key of structuredContent',
    say: (said) => callStructured({ [said]: 'x' }),
    read: ({ message }) => Object.keys(message.result.structuredContent.said),
  },
  {
    name: 'a value of structuredContent',
    say: (said) => callStructured({ key: [said] }),
    read: ({ message }) => message.result.structuredContent.said.key[0],
  },
  {
    name: 'the JSON copy of structuredContent',
    say: (said) => callStructured({ key: [said] }),
    read: ({ message }) => JSON.parse(message.result.content[0].text).said.key[0],
  },
  {
    name: 'the text of a ToolError',
    say: (said) => callTool(defineTool({ ...described, run: () => refuse(said) })),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'the text of a ToolError of `ask`',
    say: (said) => callTool(defineTool({ ...described, ask: () => refuse(said), run: () => 'x' })),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'the text of a ToolError of a prompt',
    say: (said) => {
      const say = definePrompt({ ...described, messages: () => refuse(said) })
      return ask('prompts/get', { say }, 'say')
    },
    read: ({ message }) => message.error.message,
  },
  {
    name: 'the text of a ToolError of a read',
    say: (said) => {
      const say = defineResource({ uri: 'say://x', mime, read: () => refuse(said) })
      return ask('resources/read', { say }, 'say://x')
    },
    read: ({ message }) => message.error.message,
  },
  {
    name: 'the text of a ToolError of a list',
    say: (said) => {
      const read = () => 'x'
      const say = defineResource({ uri: 'say://{id}', mime, list: () => refuse(said), read })
      return serve({ say }).ask('resources/list')
    },
    read: ({ message }) => message.error.message,
  },
  {
    name: 'the text of a ToolError of a completer',
    say: (said) => complete(() => refuse(said)),
    read: ({ message }) => message.error.message,
  },
  {
    name: 'a kept result of a tool',
    say: (said) => callKept(() => said),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'a kept read',
    say: readKept,
    read: ({ message }) => message.result.contents[0].text,
  },
  {
    name: 'a message of a prompt that is a string',
    say: (said) => {
      return ask(
        'prompts/get',
        { say: definePrompt({ ...described, messages: () => said }) },
        'say',
      )
    },
    read: ({ message }) => message.result.messages[0].content.text,
  },
  {
    name: 'the description of a prompt that was got',
    say: (said) => {
      const say = definePrompt({ description: said, messages: () => 'x' })
      return ask('prompts/get', { say }, 'say')
    },
    read: ({ message }) => message.result.description,
  },
  {
    name: 'the text of a resource',
    say: (said) => read({ text: said }),
    read: ({ message }) => message.result.contents[0].text,
  },
  {
    name: 'the URI of a part of a resource',
    say: (said) => read({ text: 'x', uri: `say://${said}` }),
    read: ({ message }) => message.result.contents[0].uri,
  },
  {
    name: 'the media type of a part of a resource',
    say: (said) => read({ text: 'x', mime: said }),
    read: ({ message }) => message.result.contents[0].mimeType,
  },
  {
    name: 'the URI of a blob of a resource',
    say: (said) => read({ blob: 'AAAA', uri: `say://${said}` }),
    read: ({ message }) => message.result.contents[0].uri,
  },
  {
    name: 'the URI that a client read',
    by: 'client',
    // no other is the URI of a resource
    takes: ['secret'],
    say: (said) => {
      const say = defineResource({ uri: `say://${said}`, mime, read: () => 'x' })
      return ask('resources/read', { say }, `say://${said}`)
    },
    read: ({ message }) => message.result.contents[0].uri,
  },
  {
    name: 'the media type of a resource',
    say: (said) => {
      const say = defineResource({ uri: 'say://x', mime: said, read: () => ({ text: 'x' }) })
      return ask('resources/read', { say }, 'say://x')
    },
    read: ({ message }) => message.result.contents[0].mimeType,
  },
  {
    name: 'a value of completion/complete',
    say: (said) => complete(() => [said]),
    read: ({ message }) => message.result.completion.values[0],
  },
  {
    name: 'a value of completion/complete that a schema lists',
    say: (said) =>
      completeFrom(definePrompt({ ...spoken, input: z.object({ a: z.enum([said]) }) })),
    read: ({ message }) => message.result.completion.values[0],
  },
]

const spoken = { ...described, messages: () => 'x' }

function refuse(said: string): never {
  throw new ToolError(said)
}

function callStructured(said: Record<string, unknown>) {
  const output = z.object({ said: z.record(z.string(), z.unknown()) })
  return callTool(defineTool({ ...described, output, run: () => ({ said }) }))
}

function read(part: { uri?: string; mime?: string } & ({ text: string } | { blob: string })) {
  const say = defineResource({ uri: 'say://x', mime, read: () => part })
  return ask('resources/read', { say }, 'say://x')
}

function complete(completer: () => readonly string[]) {
  const input = z.object({ a: z.string() })
  return completeFrom(definePrompt({ ...spoken, input, complete: { a: completer } }))
}

function completeFrom(say: ReturnType<typeof definePrompt>) {
  const ref = { type: 'ref/prompt', name: 'say' }
  return serve({ say }).ask('completion/complete', { ref, argument: { name: 'a', value: '' } })
}

test.each(toRows([...exits, ...places]))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})

const own: Exit = {
  name: 'the text of a tool that cleans its texts itself',
  takes: ['secret'],
  say: (said) => callTool(defineTool({ ...described, sanitize: (own) => own, run: () => said })),
  read: ({ message }) => message.result.content[0].text,
}

test.each(toRows([own]))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})

test.each(['secret', 'tag', 'bidi', 'zero-width', 'escape'])(
  'a tool with `sanitize: false` lets everything out as it is: %s',
  async (name) => {
    const said = poisons.find((poison) => poison.name === name)?.text ?? ''
    const say = defineTool({ ...described, sanitize: false, run: () => said })
    const { body } = await callTool(say)
    expect(body.result.content[0].text).toBe(said)
  },
)
