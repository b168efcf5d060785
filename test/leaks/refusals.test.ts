import { expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool } from 'helve'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'
import { url } from '../spec/server.ts'
import {
  callTool,
  collect,
  named,
  quoted,
  serve,
  toHeaderText,
  type Exit,
  type Sent,
} from './exit.ts'
import { findLeaks, toRows } from './table.ts'

/* What refusals repeat of what a client, or an author, has written. */

const described = { description: 'Says.' }
const mime = 'text/plain'
const text = { mime, read: () => 'x' }
const made = {
  ping: defineTool({ ...described, run: () => 'pong' }),
  paint: defineTool({
    ...described,
    input: z.strictObject({ color: z.enum(['red', 'blue']).optional() }),
    run: () => 'x',
  }),
  greet: definePrompt({
    ...described,
    input: z.object({ mood: z.enum(['merry', 'sober']) }),
    messages: () => 'x',
  }),
  one: defineResource({ uri: 'say://one', ...text }),
  many: defineResource({
    uri: 'say://many/{id}',
    params: z.object({ id: z.enum(['1', '2']) }),
    ...text,
  }),
}

function ask(method: string, params: object, header?: string): Promise<Sent> {
  return serve(made).ask(method, params, header === undefined ? {} : named(header))
}

/** What the header of a request can have that no client could send in Base64. */
const plain = ['secret'] as const

function send(headers: Readonly<Record<string, string | null>>): Promise<Sent> {
  const request = new Request(url, {
    method: 'POST',
    headers: toModernHeaders('tools/list', {}, { headers }),
    body: toModernBody('tools/list'),
  })
  return serve(made).send(request)
}

const readMessage: Exit['read'] = ({ message }) => message.error.message

const exits: readonly Exit[] = [
  {
    name: 'the name of an unknown tool',
    by: 'client',
    say: (said) => ask('tools/call', { name: said }, said),
    read: readMessage,
  },
  {
    name: 'the name of an unknown prompt',
    by: 'client',
    say: (said) => ask('prompts/get', { name: said }, said),
    read: readMessage,
  },
  {
    name: 'the URI of an unknown resource',
    by: 'client',
    say: (said) => ask('resources/read', { uri: said }, said),
    read: ({ message }) => message.error,
  },
  {
    name: 'the URI of an unknown resource, in the data',
    by: 'client',
    say: (said) => ask('resources/read', { uri: said }, said),
    read: ({ message }) => message.error.data,
  },
  {
    name: 'a parameter of a URI that does not fit',
    by: 'client',
    spell: encodeURIComponent,
    takes: ['secret', 'tag', 'bidi', 'zero-width', 'joiner'],
    say: (said) => {
      const uri = `say://many/${encodeURIComponent(said)}`
      return ask('resources/read', { uri }, uri)
    },
    read: ({ message }) => message.error,
  },
  {
    name: 'the prompt of an unknown completion',
    by: 'client',
    say: (said) => complete({ type: 'ref/prompt', name: said }, 'mood'),
    read: readMessage,
  },
  {
    name: 'the URI of an unknown completion',
    by: 'client',
    say: (said) => complete({ type: 'ref/resource', uri: said }, 'id'),
    read: readMessage,
  },
  {
    name: 'the argument of an unknown completion',
    by: 'client',
    say: (said) => complete({ type: 'ref/prompt', name: 'greet' }, said),
    read: readMessage,
  },
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map(
    (method): Exit => ({
      name: `a bad cursor of ${method}`,
      by: 'client',
      say: (said) => ask(method, { cursor: said }),
      read: ({ message }) => message.error,
      isSilent: true,
    }),
  ),
  {
    name: 'a bad cursor of a document',
    takes: ['secret', 'tag', 'bidi', 'zero-width', 'escape', 'joiner'],
    say: (said) => {
      const cursor = encodeURIComponent(said)
      return serve(made).send(new Request(`${url}/tools?cursor=${cursor}`))
    },
    read: ({ message }) => message.error,
    isSilent: true,
  },
  {
    name: 'a value of an argument of a tool',
    by: 'client',
    spell: quoted,
    say: (said) => ask('tools/call', { name: 'paint', arguments: { color: said } }),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'an unknown key of an argument of a tool',
    by: 'client',
    spell: quoted,
    say: (said) => ask('tools/call', { name: 'paint', arguments: { [said]: 1 } }),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'a value of an argument of a prompt',
    by: 'client',
    spell: quoted,
    say: (said) => ask('prompts/get', { name: 'greet', arguments: { mood: said } }),
    read: ({ message }) => message.error,
  },
  {
    name: 'a sentence of a schema about an argument of a tool',
    say: (said) => {
      const input = z.object({ a: z.string().refine(() => false, { error: said }) })
      return callTool(defineTool({ ...described, input, run: () => 'x' }), { a: 'x' })
    },
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'a sentence of a schema about an argument of a prompt',
    say: (said) => {
      const input = z.object({ a: z.string().refine(() => false, { error: said }) })
      const say = definePrompt({ ...described, input, messages: () => 'x' })
      return serve({ say }).ask('prompts/get', { name: 'say', arguments: { a: 'x' } })
    },
    read: ({ message }) => message.error,
  },
  {
    name: 'a sentence of a schema about a parameter of a URI',
    say: (said) => {
      const params = z.object({ id: z.string().refine(() => false, { error: said }) })
      const say = defineResource({ uri: 'say://{id}', params, ...text })
      return serve({ say }).ask('resources/read', { uri: 'say://1' }, named('say://1'))
    },
    read: ({ message }) => message.error,
    isSilent: true,
  },
  {
    name: 'a choice of an argument',
    say: (said) => {
      const input = z.object({ a: z.enum([said, 'other']) })
      return callTool(defineTool({ ...described, input, run: () => 'x' }), { a: 'x' })
    },
    spell: quoted,
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'a member of an argument that is missing',
    say: (said) => {
      const input = z.object({ [said]: z.string() })
      return callTool(defineTool({ ...described, input, run: () => 'x' }))
    },
    spell: quoted,
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'an unknown method',
    by: 'client',
    takes: plain,
    say: (said) => ask(said, {}),
    read: readMessage,
  },
  {
    name: 'a method that its header does not repeat',
    by: 'client',
    spell: quoted,
    say: (said) => serve(made).ask(said, {}, { headers: { 'Mcp-Method': 'tools/list' } }),
    read: readMessage,
  },
  {
    name: 'a name that its header does not repeat',
    by: 'client',
    spell: quoted,
    say: (said) => ask('tools/call', { name: said }, 'other'),
    read: readMessage,
  },
  {
    name: 'an Mcp-Name that the body does not repeat',
    takes: ['secret', 'tag', 'bidi', 'zero-width', 'escape', 'joiner'],
    spell: quoted,
    say: (said) => {
      const headers = { 'Mcp-Name': toHeaderText(said) }
      return serve(made).ask('tools/call', { name: 'ping' }, { headers })
    },
    read: readMessage,
  },
  {
    name: 'an unsupported version',
    by: 'client',
    takes: plain,
    say: (said) => {
      return serve(made).ask(
        'tools/list',
        {},
        {
          meta: { 'io.modelcontextprotocol/protocolVersion': said },
          headers: { 'MCP-Protocol-Version': said },
        },
      )
    },
    read: ({ message }) => message.error.data.requested,
  },
  {
    name: 'a version that its header does not repeat',
    by: 'client',
    spell: quoted,
    say: (said) => {
      return serve(made).ask(
        'tools/list',
        {},
        { meta: { 'io.modelcontextprotocol/protocolVersion': said } },
      )
    },
    read: readMessage,
  },
  {
    name: 'an MCP-Protocol-Version that the body does not repeat',
    takes: plain,
    say: (said) => send({ 'MCP-Protocol-Version': said }),
    read: readMessage,
  },
  {
    name: 'an Mcp-Method that the body does not repeat',
    takes: plain,
    say: (said) => send({ 'Mcp-Method': said }),
    read: readMessage,
  },
  {
    name: 'a bad Content-Type',
    takes: plain,
    say: (said) => send({ 'Content-Type': `text/${said}` }),
    read: readMessage,
  },
  {
    name: 'a bad Accept',
    takes: plain,
    say: (said) => send({ Accept: `text/${said}` }),
    read: readMessage,
  },
  {
    name: 'a foreign Origin',
    takes: plain,
    say: (said) => send({ Origin: `https://${said}.example.com` }),
    read: readMessage,
  },
  {
    name: 'an unknown path',
    takes: plain,
    say: (said) => serve(made).send(new Request(`https://mcp.example.com/${said}`)),
    read: readMessage,
  },
  {
    name: 'the requested headers of a preflight',
    takes: plain,
    say: (said) => {
      const headers = {
        Origin: 'https://mcp.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': said,
      }
      return serve(made).send(new Request(url, { method: 'OPTIONS', headers }))
    },
    read: ({ headers }) => headers.get('Access-Control-Allow-Headers'),
    isSilent: true,
  },
  {
    name: 'a body that is not JSON',
    // of a longer one the parser's sentence has a part only
    takes: ['tag', 'bidi', 'zero-width', 'escape'],
    say: (said) => post(said),
    read: readMessage,
  },
  {
    name: 'a key that stands twice',
    by: 'client',
    spell: quoted,
    say: (said) => {
      const key = JSON.stringify(said)
      return post(`{"jsonrpc":"2.0","id":1,"method":"x",${key}:1,${key}:2}`)
    },
    read: readMessage,
  },
  {
    name: 'a capability that is missing',
    by: 'client',
    say: (said) => {
      const meta = { 'io.modelcontextprotocol/clientCapabilities': said }
      return serve(made).ask('tools/list', {}, { meta })
    },
    read: ({ message }) => message.error,
    isSilent: true,
  },
]

function complete(ref: object, name: string): Promise<Sent> {
  return ask('completion/complete', { ref, argument: { name, value: 'm' } })
}

function post(body: string): Promise<Sent> {
  const headers = toModernHeaders('tools/list')
  return serve(made).send(new Request(url, { method: 'POST', headers, body }))
}

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})

const clientExits = exits.filter(({ by, takes }) => by === 'client' || takes !== undefined)

test.each(clientExits.map((exit) => [exit.name, exit] as const))(
  'at most 200 characters of %s are repeated',
  async (_, { say, takes, isSilent }) => {
    for (const said of ['Q'.repeat(1_000), ...(takes === plain ? [] : ['\u{1D54F}'.repeat(500)])]) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time
      const { message, headers } = await collect(() => say(said))
      if (isSilent) continue
      const { data, ...error } = message.error ?? message.result
      for (const part of [error, data ?? {}, Object.fromEntries(headers)]) {
        const printed = JSON.stringify(part)
        expect(printed.replaceAll(/[^Q\ud800-\udfff]/g, '').length).toBeLessThanOrEqual(200)
        // the engine's own sentence about a syntax error names half of a surrogate pair
        expect(printed.replace("Unexpected token '\ufffd'", '')).not.toContain('\ufffd')
      }
      const text = error.message ?? error.content[0].text
      expect(text.length).toBeLessThan(500)
    }
  },
)
