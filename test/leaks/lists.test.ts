import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  definePrompt,
  defineResource,
  defineTool,
  type Icon,
  type ResourceRow,
  type WorkerOptions,
} from 'helve'
import { serve, type Exit, type Sent } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

type Json = ReturnType<typeof JSON.parse>

type Made = Parameters<typeof serve>[0]

/** A text of an entry of a list: what is defined with it, and where the entry has it. */
type Part = readonly [
  what: string,
  make: (said: string) => Made,
  read: (entry: Json) => unknown,
  takes?: Exit['takes'],
]

/** A template refuses whatever a URI has no place for. */
const plain = ['secret'] as const

/** What a schema names is not masked, so that a result does not break it. */
const published = ['tag', 'bidi', 'zero-width', 'escape', 'half', 'joiner'] as const

const mime = 'text/plain'
const described = { description: 'Says.' }
const row = { uri: 'say://x/1', name: 'one' }
const resource = { uri: 'say://x', mime, read: () => 'x' }
const template = { ...resource, uri: 'say://x/{id}' }

const icon = (src: string): { readonly icons: readonly Icon[] } => ({
  icons: [{ src: `https://x.example/${src}` }],
})
// not a member of the schema, whose members cannot have any text
const dated = (note: string) => ({ annotations: Object.assign({ priority: 1 }, { note }) })

const readIcon = ({ icons }: Json): unknown =>
  String(icons[0].src).replace('https://x.example/', '')
const readDate = ({ annotations }: Json): unknown => annotations.note

interface More {
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly input?: z.ZodObject
}

function tool(more: More): Made {
  return { say: defineTool({ ...described, ...more, run: () => 'x' }) }
}

const tools: readonly Part[] = [
  ['the title', (said) => tool({ title: said }), ({ title }) => title],
  ['the description', (said) => tool({ description: said }), ({ description }) => description],
  ['an icon', (said) => tool(icon(said)), readIcon],
  [
    'a description in the schema',
    (said) => tool({ input: z.object({ a: z.string().meta({ description: said }) }) }),
    ({ inputSchema }) => inputSchema.properties.a.description,
  ],
  [
    'a choice in the schema',
    (said) => tool({ input: z.object({ a: z.enum([said]) }) }),
    ({ inputSchema }) => inputSchema.properties.a,
    published,
  ],
  [
    'a name in the schema of the output',
    (said) => {
      const output = z.object({ [said]: z.string() })
      return { say: defineTool({ ...described, output, run: () => ({}) }) }
    },
    ({ outputSchema }) => Object.keys(outputSchema.properties),
    published,
  ],
]

function prompt(more: More): Made {
  return { say: definePrompt({ ...described, ...more, messages: () => 'x' }) }
}

const prompts: readonly Part[] = [
  ['the title', (said) => prompt({ title: said }), ({ title }) => title],
  ['the description', (said) => prompt({ description: said }), ({ description }) => description],
  ['an icon', (said) => prompt(icon(said)), readIcon],
  [
    'the description of an argument',
    (said) => prompt({ input: z.object({ a: z.string().meta({ description: said }) }) }),
    (entry) => entry.arguments[0].description,
  ],
]

const resources: readonly Part[] = [
  [
    'the URI',
    (said) => ({ say: defineResource({ ...resource, uri: `say://${said}` }) }),
    ({ uri }) => uri,
  ],
  [
    'the title',
    (said) => ({ say: defineResource({ ...resource, title: said }) }),
    ({ title }) => title,
  ],
  [
    'the description',
    (said) => ({ say: defineResource({ ...resource, description: said }) }),
    ({ description }) => description,
  ],
  [
    'the media type',
    (said) => ({ say: defineResource({ ...resource, mime: said }) }),
    ({ mimeType }) => mimeType,
  ],
  ['an icon', (said) => ({ say: defineResource({ ...resource, ...icon(said) }) }), readIcon],
  [
    'the annotations',
    (said) => ({ say: defineResource({ ...resource, ...dated(said) }) }),
    readDate,
  ],
]

const templates: readonly Part[] = [
  [
    'the URI',
    (said) => ({ say: defineResource({ ...template, uri: `say://${said}/{id}` }) }),
    ({ uriTemplate }) => uriTemplate,
    plain,
  ],
  [
    'the title',
    (said) => ({ say: defineResource({ ...template, title: said }) }),
    ({ title }) => title,
  ],
  [
    'the description',
    (said) => ({ say: defineResource({ ...template, description: said }) }),
    ({ description }) => description,
  ],
]

function rowOf(more: Partial<ResourceRow>, shared = false, uri = template.uri): Made {
  const resources = [{ ...row, ...more }]
  const definition = { ...template, uri, list: () => ({ resources }) }
  return { say: defineResource(shared ? { ...definition, shared: true } : definition) }
}

/** A row's URI is made from its template, so that the text has to stand in both. */
function rowAt(said: string, shared = false): Made {
  return rowOf({ uri: `say://x/${said}/1` }, shared, `say://x/${said}/{id}`)
}

const rows: readonly Part[] = [
  ['the URI', (said) => rowAt(said), ({ uri }) => uri, plain],
  ['the name', (said) => rowOf({ name: said }), ({ name }) => name],
  ['the title', (said) => rowOf({ title: said }), ({ title }) => title],
  ['the description', (said) => rowOf({ description: said }), ({ description }) => description],
  ['the media type', (said) => rowOf({ mime: said }), ({ mimeType }) => mimeType],
  ['an icon', (said) => rowOf(icon(said)), readIcon],
  ['the annotations', (said) => rowOf(dated(said)), readDate],
]

const keptRows: readonly Part[] = [
  ['the name', (said) => rowOf({ name: said }, true), ({ name }) => name],
  ['the URI', (said) => rowAt(said, true), ({ uri }) => uri, plain],
]

/** Each list, the member of its result that has the entries, the document of it, and its texts. */
const lists: readonly (readonly [
  what: string,
  method: string,
  member: string,
  document: string,
  parts: readonly Part[],
])[] = [
  ['a tool', 'tools/list', 'tools', 'tools', tools],
  ['a prompt', 'prompts/list', 'prompts', 'prompts', prompts],
  ['a resource', 'resources/list', 'resources', 'resources', resources],
  ['a row of a template', 'resources/list', 'resources', 'resources', rows],
  ['a kept row of a template', 'resources/list', 'resources', 'resources', keptRows],
  ['a template', 'resources/templates/list', 'resourceTemplates', 'resources/templates', templates],
]

const listed: readonly Exit[] = lists.flatMap(([what, method, member, document, parts]) =>
  parts.flatMap(([part, make, read, takes]): Exit[] => [
    {
      name: `${what} in ${method}, ${part}`,
      ...(takes && { takes }),
      say: (said) =>
        askTwice(
          () => serve(make(said)),
          (server) => server.ask(method),
        ),
      read: ({ message }) => read(message.result[member][0]),
    },
    {
      name: `${what} in GET /mcp/${document}, ${part}`,
      ...(takes && { takes }),
      say: (said) =>
        askTwice(
          () => serve(make(said)),
          (server) => server.send(get(document)),
        ),
      read: ({ message }) => read(message[member][0]),
    },
  ]),
)

/** Twice, as the second answer may be one that was kept. */
async function askTwice(
  open: () => ReturnType<typeof serve>,
  ask: (server: ReturnType<typeof serve>) => Promise<Sent>,
): Promise<Sent> {
  const server = open()
  await ask(server)
  return ask(server)
}

function get(document: string): Request {
  return new Request(`https://mcp.example.com/mcp/${document}`)
}

const ping = defineTool({ ...described, run: () => 'pong' })

function discover(options: Partial<WorkerOptions>): Promise<Sent> {
  return serve({ ping }, options).ask('server/discover')
}

const serverInfo = 'io.modelcontextprotocol/serverInfo'

const server: readonly Exit[] = [
  {
    name: 'the instructions of the server',
    say: (said) => discover({ instructions: said }),
    read: ({ message }) => message.result.instructions,
  },
  {
    name: 'the title of the server in server/discover',
    say: (said) => discover({ title: said }),
    read: ({ message }) => message.result._meta[serverInfo].title,
  },
  {
    name: 'the title of the server in a result',
    say: (said) => serve({ ping }, { title: said }).ask('tools/call', { name: 'ping' }),
    read: ({ message }) => message.result._meta[serverInfo].title,
  },
]

test.each(toRows([...listed, ...server]))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
