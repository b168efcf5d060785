import { expect, test } from 'vitest'
import { exports } from 'cloudflare:workers'
import { defineResource, defineTool } from 'helve'
import { toModernRequest } from '../support/modern-request.ts'
import { url } from '../spec/server.ts'
import { callTool, serve, type Exit, type Sent } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

const described = { description: 'Says.' }
const logged = { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } }
const progressing = { meta: { progressToken: 'p' } }

const exits: readonly Exit[] = [
  {
    name: 'the message of progress',
    say: (said) => {
      return callTool(
        defineTool({
          ...described,
          run({ progress }) {
            progress(1, 2, said)
            return 'x'
          },
        }),
        {},
        progressing,
      )
    },
    read: ({ messages }) => messages[0].params.message,
  },
  {
    name: 'a log message that a client asked for',
    say: (said) => callTool(logs(said), {}, logged),
    read: ({ messages }) => messages[0].params.data,
  },
  {
    name: 'a value in the detail of a log message that a client asked for',
    say: (said) => callTool(logs('x', { key: [said] }), {}, logged),
    read: ({ messages }) => messages[0].params.data.detail.key[0],
  },
  {
    name: 'a key in the detail of a log message that a client asked for',
    say: (said) => callTool(logs('x', { [said]: 1 }), {}, logged),
    read: ({ messages }) => Object.keys(messages[0].params.data.detail),
  },
  {
    name: 'the text of a tool that streams',
    say: (said) => callTool(logs('x', undefined, said), {}, logged),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'the URIs of an acknowledgement',
    by: 'client',
    // no other is the URI of a resource
    takes: ['secret'],
    say: (said) => listen(`say://${said}`),
    read: ({ messages }) => messages[0].params.notifications.resourceSubscriptions,
  },
  {
    name: 'the URI of notifications/resources/updated',
    by: 'client',
    takes: ['secret'],
    say: (said) => listen(`say://${said}`),
    read: ({ messages }) => messages[1].params.uri,
  },
]

type Detail = string | { readonly [key: string]: number | readonly string[] }

function logs(message: string, detail?: Detail, returned = 'x') {
  return defineTool({
    ...described,
    run({ log }) {
      log.info(message, detail)
      return returned
    },
  })
}

/** Listens for updates of a resource, and reads the first two messages. */
async function listen(uri: string): Promise<Sent> {
  const say = defineResource({ uri, mime: 'text/plain', read: () => 'x' })
  const { worker, context } = serve({ say })
  const notifications = { resourceSubscriptions: [uri] }
  const params: object = { notifications }
  const request = toModernRequest(url, 'subscriptions/listen', params)
  const { status, headers, body } = await worker.fetch(request, ...context())
  if (status !== 200 || body === null) return { status, headers, text: await readAll(body) }
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const acknowledged = await readMessage(reader)
  await worker.notify(exports).resourceUpdated(uri)
  const updated = await readMessage(reader)
  await reader.cancel()
  return { status, headers, text: acknowledged + updated }
}

async function readAll(body: ReadableStream | null): Promise<string> {
  return new Response(body).text()
}

async function readMessage(
  reader: ReadableStreamDefaultReader<string>,
  before = '',
): Promise<string> {
  const { value, done } = await reader.read()
  if (done) throw new Error(`The stream ended after ${before}`)
  const text = before + value
  return text.includes('data: ') && text.endsWith('\n\n') ? text : readMessage(reader, text)
}

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
