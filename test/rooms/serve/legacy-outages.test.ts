import { beforeEach, describe, expect, test, vi } from 'vitest'
import { defineTool, form } from 'helve'
import * as z from 'zod'
import { createServer, url } from '../../spec/server.ts'
import {
  toInitialize,
  toLegacyBody,
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
} from '../../support/legacy-request.ts'

/*
 * Durable Objects that are out of reach. A client waits for ever for a response without its id, and
 * takes status 200 for a response or a notification as a sign that it was accepted.
 */

const made = {
  echo: defineTool({ description: 'Answers.', run: () => 'here' }),
  asks: defineTool({
    description: 'Asks.',
    ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }),
    run: () => 'done',
  }),
}

/** A namespace whose objects are out of reach. */
function createLost(): object {
  const refuse = (): Promise<never> => Promise.reject(new Error('Out of reach.'))
  const object = { fetch: refuse, answer: refuse, stateKey: refuse, announce: refuse }
  const get = (): object => object
  return Object.assign(() => {}, { getByName: get, get, newUniqueId: get, idFromString: get })
}

/** A Worker in an isolate of its own, and without these classes as soon as they are listed. */
function createIsolate(lost: readonly string[] = []) {
  const server = createServer({ audit: false }, made)
  async function send(request: Request): Promise<Response> {
    const [env, ctx] = server.context()
    const without = Object.fromEntries(lost.map((name) => [name, createLost()]))
    Object.assign(ctx, { exports: { ...Object(ctx.exports), ...without } })
    return server.worker.fetch(request, env, ctx)
  }
  return {
    send,
    begin: async (version: string): Promise<string> => {
      const response = await send(toInitialize(url, version, { elicitation: {} }))
      await response.text()
      return response.headers.get('Mcp-Session-Id') ?? ''
    },
  }
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})

const answer = { jsonrpc: '2.0', id: 'a question', result: {} }
const cancelled = toLegacyNotification('notifications/cancelled', { requestId: 1 })

describe('a session whose key is out of reach', () => {
  test('ends a request with an error that has its id', async () => {
    const session = await createIsolate().begin('2025-11-25')
    const { send } = createIsolate(['Hub'])
    const changes = { session, id: 'seven' }
    const response = await send(toLegacyRequest(url, 'tools/call', { name: 'echo' }, changes))
    const error = { code: -32603, message: expect.stringContaining('Internal error') }
    expect([response.status, await response.json()]).toMatchObject([200, { id: 'seven', error }])
  })

  test.each([
    ['a response', JSON.stringify(answer)],
    ['a notification', cancelled],
    ['a batch', `[${toLegacyBody('ping')}]`],
  ])('refuses %s', async (_, body) => {
    const session = await createIsolate().begin('2025-03-26')
    const { send } = createIsolate(['Hub'])
    const response = await send(toLegacyPost(url, body, { session, version: '2025-03-26' }))
    expect([response.status, await response.json()]).toMatchObject([500, { error: {} }])
  })
})

describe('an answer whose object is out of reach', () => {
  test.each([
    ['2025-11-25', (response: object) => JSON.stringify(response)],
    ['2025-03-26', (response: object) => `[${JSON.stringify(response)}]`],
  ] as const)('is refused, at %s', async (version, print) => {
    const one = createIsolate()
    const session = await one.begin(version === '2025-03-26' ? '2025-06-18' : version)
    const call = toLegacyRequest(url, 'tools/call', { name: 'asks' }, { session })
    const reader = (await one.send(call)).body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
    while (!text.includes('elicitation/create')) text += (await reader?.read())?.value ?? ''
    const [, id = ''] = /"id":"([^"]+)","method":"elicitation/.exec(text) ?? []
    const { send } = createIsolate(['Bridge'])
    const body = print({ jsonrpc: '2.0', id, result: { action: 'decline' } })
    const response = await send(toLegacyPost(url, body, { session, version }))
    expect([response.status, await response.json()]).toMatchObject([500, { error: {} }])
    await reader?.cancel()
  })
})
