import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool, form, link, sample, type Question, type Tool } from 'helve'
import { url } from '../spec/server.ts'
import { toInitialize, toLegacyPost, toLegacyRequest } from '../support/legacy-request.ts'
import { createReplyReader } from '../support/reply-reader.ts'
import { serve, type Exit, type Sent } from './exit.ts'
import { findLeaks, toRows } from './table.ts'

/* What leaves on the stream of a call, for the clients that begin with `initialize`. */

type Json = ReturnType<typeof JSON.parse>

const described = { description: 'Says.' }
const yes = z.object({ yes: z.boolean() })
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const agreed = { result: { action: 'accept', content: { yes: true } } }

/** Calls a tool, gives the same answer to all its questions, and returns the whole stream. */
async function callAsking(say: Tool, answer: object, params: object = {}): Promise<Sent> {
  const server = serve({ say })
  const send = (request: Request): Promise<Response> =>
    server.worker.fetch(request, ...server.context())
  const begun = await send(toInitialize(url, '2025-11-25', capabilities))
  const session = begun.headers.get('Mcp-Session-Id')
  await begun.text()
  const level = { level: 'debug' }
  await (await send(toLegacyRequest(url, 'logging/setLevel', level, { session }))).text()

  const asked = { name: 'say', arguments: {}, ...params }
  const { status, headers, body } = await send(
    toLegacyRequest(url, 'tools/call', asked, { session }),
  )
  const reader = createReplyReader(headers.get('Content-Type') ?? '')
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (const piece of reader.take(chunk)) {
      const message: Json = piece.kind === 'message' ? piece.message : {}
      if (message.method === undefined || message.id === undefined) continue
      const response = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const reply = await send(toLegacyPost(url, response, { session }))
      // oxlint-disable-next-line no-await-in-loop
      const refusal = { status: reply.status, headers: reply.headers, text: await reply.text() }
      if (reply.status !== 202) return refusal
    }
  }
  return { status, headers, text }
}

function ask(
  question: Question<unknown>,
  answer: object = agreed,
  key = 'question',
): Promise<Sent> {
  const say = defineTool({ ...described, ask: () => ({ [key]: question }), run: () => 'done' })
  return callAsking(say, answer)
}

const readQuestion: Exit['read'] = ({ messages }) =>
  messages.find(({ id, method }) => id !== undefined && method !== undefined).params

const exits: readonly Exit[] = [
  {
    name: 'the message of a form',
    say: (said) => ask(form(said, yes)),
    read: (left) => Object(readQuestion(left)).message,
  },
  {
    name: 'the description of a field',
    say: (said) => ask(form('Sure?', z.object({ yes: z.boolean().meta({ description: said }) }))),
    read: (left) => Object(readQuestion(left)).requestedSchema.properties.yes.description,
  },
  {
    name: 'the message of a link',
    say: (said) => ask(link(said, 'https://shop.example.com/pay')),
    read: (left) => Object(readQuestion(left)).message,
  },
  {
    name: 'the text of a request to the model',
    say: (said) => {
      const messages = [{ role: 'user', content: { type: 'text', text: said } }] as const
      return ask(sample({ messages, maxTokens: 10 }))
    },
    read: readQuestion,
  },
  {
    name: 'the error of a client, in the result',
    by: 'client',
    say: (said) => ask(form('Sure?', yes), { error: { code: -1, message: said } }),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'the key of a question that was declined',
    say: (said) => ask(form('Sure?', yes), { result: { action: 'decline' } }, said),
    read: ({ message }) => message.result.content[0].text,
  },
  {
    name: 'a log message',
    say: (said) => {
      const run = ({ log }: { log: { info: (text: string) => void } }): string => {
        log.info(said)
        return 'x'
      }
      return callAsking(defineTool({ ...described, run }), agreed)
    },
    read: ({ messages }) => messages[0].params.data,
  },
  {
    name: 'the message of progress',
    say: (said) => {
      const say = defineTool({
        ...described,
        run({ progress }) {
          progress(1, 2, said)
          return 'x'
        },
      })
      return callAsking(say, agreed, { _meta: { progressToken: 'p' } })
    },
    read: ({ messages }) => messages[0].params.message,
  },
]

test.each(toRows(exits))('%s', async (_, exit, poison) => {
  expect(await findLeaks(exit, poison)).toEqual([])
})
