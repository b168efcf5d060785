import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  audio,
  definePrompt,
  defineResource,
  defineTool,
  embed,
  resourceLink,
  ToolError,
  type Content,
  type WorkerOptions,
} from 'helve'
import { url } from '../spec/server.ts'
import {
  type LegacyVersion,
  legacyVersions,
  toInitialize,
  toLegacyBody,
  toLegacyPost,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { serve, type Exit, type Sent } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

/* What leaves for the clients that begin with `initialize`, in the shape of each revision. */

type Json = ReturnType<typeof JSON.parse>
type Made = Parameters<typeof serve>[0]

const described = { description: 'Says.' }
const mime = 'text/plain'

function ask(
  made: Made,
  method: string,
  params: object = {},
  version: LegacyVersion = '2025-11-25',
): Promise<Sent> {
  return serve(made).send(toLegacyRequest(url, method, params, { version }))
}

const tool = (run: () => string | Content): Made => ({ say: defineTool({ ...described, run }) })
const call = (made: Made, version?: LegacyVersion, input: object = {}): Promise<Sent> =>
  ask(made, 'tools/call', { name: 'say', arguments: input }, version)

/** Posts messages to a server with a tool `say`, as a batch. */
function batch(made: Made, ...messages: readonly string[]): Promise<Sent> {
  const body = `[${messages.join(',')}]`
  return serve(made).send(toLegacyPost(url, body, { version: '2025-03-26' }))
}

function initialize(options: Partial<WorkerOptions>, version: LegacyVersion): Promise<Sent> {
  return serve(
    tool(() => 'x'),
    options,
  ).send(toInitialize(url, version))
}

const readContent: Exit['read'] = ({ message }) => message.result.content
const readMessage: Exit['read'] = ({ message }) => message.error.message

/** What a server says of itself, at the revisions that have the member. */
const initialized: readonly Exit[] = legacyVersions.flatMap((version): Exit[] => [
  {
    name: `the instructions at ${version}`,
    say: (said) => initialize({ instructions: said }, version),
    read: ({ message }) => message.result.instructions,
  },
  {
    name: `the name of the server at ${version}`,
    say: (said) => initialize({ name: said }, version),
    read: ({ message }) => message.result.serverInfo.name,
  },
  {
    name: `the version of the server at ${version}`,
    say: (said) => initialize({ version: said }, version),
    read: ({ message }) => message.result.serverInfo.version,
  },
])

/** What a tool returns, which some revisions must have as text. */
const results: readonly Exit[] = legacyVersions.flatMap((version): Exit[] => [
  {
    name: `the text of a result at ${version}`,
    say: (said) =>
      call(
        tool(() => said),
        version,
      ),
    read: readContent,
  },
  {
    name: `the value of a result at ${version}`,
    say: (said) => {
      const output = z.object({ said: z.string() })
      return call({ say: defineTool({ ...described, output, run: () => ({ said }) }) }, version)
    },
    read: readContent,
  },
  {
    name: `a link at ${version}`,
    say: (said) =>
      call(
        tool(() => resourceLink({ uri: 'say://x', name: said })),
        version,
      ),
    read: readContent,
  },
  {
    name: `the media type of audio at ${version}`,
    say: (said) =>
      call(
        tool(() => audio('AAAA', `audio/wav; x=${said}`)),
        version,
      ),
    read: readContent,
    // a revision without audio may say that something was left out
    isSilent: true,
  },
  {
    name: `an embedded resource at ${version}`,
    say: (said) =>
      call(
        tool(() => embed({ uri: 'say://x', text: said })),
        version,
      ),
    read: readContent,
  },
  {
    name: `an error of a tool at ${version}`,
    say: (said) =>
      call(
        tool(() => {
          throw new ToolError(said)
        }),
        version,
      ),
    read: readContent,
  },
  {
    name: `the description of a tool at ${version}`,
    say: (said) =>
      ask({ say: defineTool({ description: said, run: () => 'x' }) }, 'tools/list', {}, version),
    read: ({ message }) => message.result.tools[0].description,
  },
  {
    name: `the description of a parameter at ${version}`,
    say: (said) => {
      const input = z.object({ a: z.string().meta({ description: said }) })
      return ask(
        { say: defineTool({ ...described, input, run: () => 'x' }) },
        'tools/list',
        {},
        version,
      )
    },
    read: ({ message }) => message.result.tools[0].inputSchema.properties.a.description,
  },
  {
    name: `a message of a prompt at ${version}`,
    say: (said) => {
      const made = { say: definePrompt({ ...described, messages: () => said }) }
      return ask(made, 'prompts/get', { name: 'say' }, version)
    },
    read: ({ message }) => message.result.messages,
  },
  {
    name: `the description of a prompt at ${version}`,
    say: (said) => {
      const made = { say: definePrompt({ description: said, messages: () => 'x' }) }
      return ask(made, 'prompts/list', {}, version)
    },
    read: ({ message }) => message.result.prompts[0].description,
  },
  {
    name: `the text of a resource at ${version}`,
    say: (said) => {
      const made = { say: defineResource({ uri: 'say://x', mime, read: () => said }) }
      return ask(made, 'resources/read', { uri: 'say://x' }, version)
    },
    read: ({ message }) => message.result.contents[0].text,
  },
  {
    name: `the description of a resource at ${version}`,
    say: (said) => {
      const made = {
        say: defineResource({ uri: 'say://x', mime, description: said, read: () => 'x' }),
      }
      return ask(made, 'resources/list', {}, version)
    },
    read: ({ message }) => message.result.resources[0].description,
  },
])

const secretly = ['secret'] as const

const refusals: readonly Exit[] = [
  {
    name: 'the name of an unknown tool',
    by: 'client',
    say: (said) =>
      ask(
        tool(() => 'x'),
        'tools/call',
        { name: said },
      ),
    read: readMessage,
  },
  {
    name: 'the name of an unknown method',
    by: 'client',
    say: (said) =>
      ask(
        tool(() => 'x'),
        said,
      ),
    read: readMessage,
  },
  {
    name: 'the URI of an unknown resource',
    by: 'client',
    say: (said) => {
      const made = { say: defineResource({ uri: 'say://x', mime, read: () => 'x' }) }
      return ask(made, 'resources/read', { uri: said })
    },
    read: ({ message }) => message.error,
  },
  {
    name: 'an unknown log level',
    by: 'client',
    isSilent: true,
    say: (said) =>
      ask(
        tool(() => 'x'),
        'logging/setLevel',
        { level: said },
      ),
    read: readMessage,
  },
  {
    name: 'a revision that the server does not speak',
    by: 'client',
    isSilent: true,
    say: (said) => {
      const clientInfo = { name: said, version: said }
      const params = { protocolVersion: said, capabilities: { [said]: {} }, clientInfo }
      return ask(
        tool(() => 'x'),
        'initialize',
        params,
      )
    },
    read: ({ message }) => message.result.protocolVersion,
  },
  {
    name: 'a version header that the server does not know',
    takes: secretly,
    say: (said) => {
      const headers = { 'MCP-Protocol-Version': said }
      return serve(tool(() => 'x')).send(toLegacyRequest(url, 'ping', {}, { headers }))
    },
    read: ({ message }) => message.error.data.requested,
  },
  {
    name: 'a session id that does not open',
    takes: secretly,
    isSilent: true,
    say: (said) => serve(tool(() => 'x')).send(toLegacyRequest(url, 'ping', {}, { session: said })),
    read: readMessage,
  },
  {
    name: 'what a tool throws',
    isSilent: true,
    say: (said) =>
      call(
        tool(() => {
          throw new TypeError(said)
        }),
      ),
    read: readContent,
  },
  {
    name: 'what a tool throws, in the log',
    into: 'log',
    say: (said) =>
      call(
        tool(() => {
          throw new TypeError(said)
        }),
      ),
    read: ({ lines }) => lines,
  },
  {
    name: 'the name of an unknown method, in the log',
    into: 'log',
    by: 'client',
    say: (said) =>
      ask(
        tool(() => 'x'),
        said,
      ),
    read: ({ lines }) => lines,
  },
]

const batches: readonly Exit[] = [
  {
    name: 'a result in a batch',
    say: (said) =>
      batch(
        tool(() => said),
        toLegacyBody('tools/call', { name: 'say' }),
      ),
    read: ({ message }) => message.map(({ result }: Json) => result.content),
  },
  {
    name: 'an error in a batch',
    by: 'client',
    say: (said) =>
      batch(
        tool(() => 'x'),
        toLegacyBody('tools/call', { name: said }),
      ),
    read: ({ message }) => message.map(({ error }: Json) => error.message),
  },
  {
    name: 'a text in a batch, which is not a message',
    by: 'client',
    isSilent: true,
    say: (said) =>
      batch(
        tool(() => 'x'),
        JSON.stringify(said),
      ),
    read: ({ message }) => message.map(({ error }: Json) => error.message),
  },
]

const exits = [...initialized, ...results, ...refusals, ...batches]

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
