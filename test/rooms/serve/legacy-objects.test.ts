import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createAnotherWorker } from '../../../src/server.ts'
import { toRegistry } from '../../spec/registry.ts'
import { url } from '../../spec/server.ts'
import {
  type LegacyChanges,
  toInitialize,
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
} from '../../support/legacy-request.ts'
import { echo } from './served.ts'

/*
 * A client of an earlier revision costs no Durable Object: neither its session nor its calls wake one.
 */

const key = 'k'.repeat(32)
const capabilities = { elicitation: {}, sampling: {}, roots: {} }

/** A Worker in an isolate of its own, which counts the calls of its Durable Objects. */
function createCountedWorker(bindings: object) {
  const worker = createAnotherWorker({
    name: 'counted',
    version: '1.0.0',
    registry: toRegistry({ echo }),
    audit: false,
    cache: { store: 'colo' },
  })
  const called: string[] = []
  const counted = toCounted(exports, called)

  async function send(request: Request): Promise<Response> {
    const ctx = createExecutionContext()
    Object.assign(ctx, { exports: counted })
    const response = await worker.fetch(request, { ...env, ...bindings }, ctx)
    // announcing a deploy is not waited for by the client
    await waitOnExecutionContext(ctx)
    return response
  }
  return {
    called,
    send,
    ask: async (method: string, params: object, changes: LegacyChanges = {}) =>
      (await send(toLegacyRequest(url, method, params, changes))).json(),
  }
}

/** The exports of a Worker, which note each call of a method of an object as `Hub.announce`. */
function toCounted(all: object, called: string[]): object {
  const wrapped = Object.entries(all).map(([name, value]: [string, unknown]) => {
    const isNamespace = Object(value) === value && 'getByName' in Object(value)
    return [name, isNamespace ? toNoted(Object(value), name, called) : value]
  })
  return Object.fromEntries(wrapped)
}

const openers: ReadonlySet<PropertyKey> = new Set([
  'getByName',
  'get',
  'getExisting',
  'jurisdiction',
])

function toNoted(target: object, name: string, called: string[]): object {
  return new Proxy(target, {
    get(_, member) {
      const found: unknown = Reflect.get(target, member)
      if (typeof found !== 'function') return found
      return (...given: readonly unknown[]): unknown => {
        const returned: unknown = Reflect.apply(found, target, given)
        if (openers.has(member)) return toNoted(Object(returned), name, called)
        called.push(`${name}.${String(member)}`)
        return returned
      }
    },
  })
}

type CountedWorker = ReturnType<typeof createCountedWorker>

/** Initializes, lists, and calls a tool 100 times. */
async function useServer({ send, ask }: CountedWorker): Promise<void> {
  const began = await send(toInitialize(url, '2025-11-25', capabilities))
  const session = began.headers.get('Mcp-Session-Id')
  const notification = toLegacyNotification('notifications/initialized')
  await send(toLegacyPost(url, notification, { session }))
  expect(await ask('tools/list', {}, { session })).toHaveProperty('result.tools')
  for (let call = 0; call < 100; call++) {
    const params = { name: 'echo', arguments: { text: String(call) } }
    // oxlint-disable-next-line no-await-in-loop -- one client, one call after the other
    expect(await ask('tools/call', params, { session })).toHaveProperty('result.content')
  }
  expect(await ask('logging/setLevel', { level: 'info' }, { session })).toHaveProperty('result')
}

const announced = ['Hub.announce']

test('with STATE_KEY a client calls no object: only the isolate announces its deploy', async () => {
  const worker = createCountedWorker({ STATE_KEY: key })
  await useServer(worker)
  expect(worker.called).toEqual(announced)
  await useServer(worker)
  expect(worker.called).toEqual(announced)
})

test('without STATE_KEY an isolate reads the key of the hub once, for all clients', async () => {
  const worker = createCountedWorker({})
  await useServer(worker)
  const first = ['Hub.stateKey', 'Hub.announce']
  expect(worker.called).toEqual(first)
  await useServer(worker)
  expect(worker.called).toEqual(first)
})

test('`initialize` and lists alone call no object', async () => {
  const worker = createCountedWorker({ STATE_KEY: key })
  for (let client = 0; client < 100; client++) {
    // oxlint-disable-next-line no-await-in-loop -- one client after the other
    const began = await worker.send(toInitialize(url, '2025-11-25', capabilities))
    const session = began.headers.get('Mcp-Session-Id')
    // oxlint-disable-next-line no-await-in-loop
    expect(await worker.ask('tools/list', {}, { session })).toHaveProperty('result')
  }
  expect(worker.called).toEqual([])
})

test('a session of another isolate calls no object', async () => {
  const began = await createCountedWorker({ STATE_KEY: key }).send(toInitialize(url, '2025-11-25'))
  const session = began.headers.get('Mcp-Session-Id')
  const worker = createCountedWorker({ STATE_KEY: key })
  expect(await worker.ask('tools/list', {}, { session })).toHaveProperty('result.tools')
  expect(worker.called).toEqual([])
})

test('a forged session calls no object', async () => {
  const worker = createCountedWorker({ STATE_KEY: key })
  const { status } = await worker.send(toLegacyRequest(url, 'ping', {}, { session: '1.forged' }))
  expect(status).toBe(404)
  expect(worker.called).toEqual([])
})
