import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../src/objects/bridge-object.ts'
import {
  type DeliveredAnswer,
  maxAnswersLength,
  questionsHeader,
  toQuestionsText,
} from '../../../src/objects/bridge-questions.ts'
import {
  type BridgeConnection,
  type BridgeNamespace,
  findBridgeNamespace,
  openBridge,
  sendAnswer,
} from '../../../src/state/bridge.ts'

function readNamespace(): BridgeNamespace {
  const namespace = findBridgeNamespace(exports)
  if (namespace === null) throw new TypeError('The fixture has no Bridge.')
  return namespace
}

const namespace = readNamespace()

/** The object itself, as the test tools need it. */
function stubOf(object: string): DurableObjectStub<Bridge> {
  const all: unknown = Reflect.get(exports, 'Bridge')
  if (!isStubs(all)) throw new TypeError('The fixture has no Bridge.')
  return all.get(all.idFromString(object))
}

function isStubs(value: unknown): value is DurableObjectNamespace<Bridge> {
  return Object(value) === value && Reflect.has(Object(value), 'newUniqueId')
}

interface Asking extends BridgeConnection {
  readonly answers: readonly DeliveredAnswer[]
  readonly closed: Promise<void>
}

async function ask(count: number, ms = 60_000): Promise<Asking> {
  const bridge = await openBridge(namespace, { count, ms })
  const answers: DeliveredAnswer[] = []
  const closed = bridge.forward((answer) => void answers.push(answer))
  return { ...bridge, answers, closed }
}

const answer = (index: number, text = '{"result":{}}'): DeliveredAnswer => ({ index, text })

test('each question gets its own answer, in any order, and nothing else', async () => {
  const asking = await ask(3)
  expect(await sendAnswer(namespace, asking.object, answer(2, '{"a":"two\\nlines"}'))).toBe(
    'accepted',
  )
  expect(await sendAnswer(namespace, asking.object, answer(0, '{"a": 1}\n'))).toBe('accepted')
  expect(await sendAnswer(namespace, asking.object, answer(3))).toBe('closed')
  expect(await sendAnswer(namespace, asking.object, answer(-1))).toBe('closed')
  await expect
    .poll(() => asking.answers)
    .toEqual([answer(2, '{"a":"two\\nlines"}'), answer(0, '{"a": 1}\n')])
  asking.close()
})

test('of two answers to one question one counts', async () => {
  const asking = await ask(1)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => sendAnswer(namespace, asking.object, answer(0))),
  )
  expect(replies.filter((reply) => reply === 'accepted')).toHaveLength(1)
  await expect.poll(() => asking.answers).toHaveLength(1)
  asking.close()
})

test('all answers of a round share 1,048,576 characters, also after hibernation', async () => {
  const asking = await ask(4)
  const long = 'x'.repeat(maxAnswersLength / 2)
  await sendAnswer(namespace, asking.object, answer(0, long))
  await evictDurableObject(stubOf(asking.object), { webSockets: 'hibernate' })
  await sendAnswer(namespace, asking.object, answer(1, long))
  // in place of what is too much
  expect(await sendAnswer(namespace, asking.object, answer(2, 'x'))).toBe('accepted')
  expect(await sendAnswer(namespace, asking.object, answer(2, 'x'))).toBe('closed')
  await expect.poll(() => asking.answers).toEqual([answer(0, long), answer(1, long), answer(2, '')])
  asking.close()
})

test('an answer of two megabytes arrives', async () => {
  const asking = await ask(1)
  const text = JSON.stringify({ result: { text: 'ü'.repeat(1_000_000) } })
  expect(await sendAnswer(namespace, asking.object, answer(0, text))).toBe('accepted')
  await expect.poll(() => asking.answers[0]?.text.length).toBe(text.length)
  asking.close()
})

test('an object that hibernated still knows what is open, and has stored nothing', async () => {
  const asking = await ask(2)
  await sendAnswer(namespace, asking.object, answer(0))
  await evictDurableObject(stubOf(asking.object), { webSockets: 'hibernate' })
  expect(await sendAnswer(namespace, asking.object, answer(0))).toBe('closed')
  expect(await sendAnswer(namespace, asking.object, answer(1))).toBe('accepted')
  await expect.poll(() => asking.answers).toEqual([answer(0), answer(1)])
  const stored = await runInDurableObject(stubOf(asking.object), async (_, { storage }) => [
    ...(await storage.list()).keys(),
    await storage.getAlarm(),
  ])
  expect(stored).toEqual([null])
  asking.close()
})

test('a question is closed after its time', async () => {
  const asking = await ask(1, 50)
  await scheduler.wait(100)
  expect(await sendAnswer(namespace, asking.object, answer(0))).toBe('closed')
  asking.close()
})

test('a question is closed when its call has ended', async () => {
  const asking = await ask(1)
  asking.close()
  await asking.closed
  expect(await sendAnswer(namespace, asking.object, answer(0))).toBe('closed')
  await vi.waitFor(async () => {
    const open = await runInDurableObject(stubOf(asking.object), (_, state) =>
      state.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN),
    )
    expect(open).toEqual([])
  })
})

test.each([
  ['that asked nothing', () => String(namespace.newUniqueId())],
  ['of another class', () => '0'.repeat(64)],
  ['that is no address', () => 'hub-0'],
])('an object %s accepts no answer', async (_, address) => {
  expect(await sendAnswer(namespace, address(), answer(0))).toBe('closed')
})

test('one object has the questions of one call', async () => {
  const asking = await ask(1)
  const headers = { Upgrade: 'websocket', [questionsHeader]: toQuestionsText({ count: 1, ms: 9 }) }
  const second = await stubOf(asking.object).fetch('https://bridge/', { headers })
  expect(second.status).toBe(400)
  expect(await sendAnswer(namespace, asking.object, answer(0))).toBe('accepted')
  asking.close()
})

test.each(['', '1', '1 x', '1000 5', '-1 5'])('an offer of "%s" is refused', async (text) => {
  const stub = stubOf(String(namespace.newUniqueId()))
  const headers = { Upgrade: 'websocket', [questionsHeader]: text }
  expect((await stub.fetch('https://bridge/', { headers })).status).toBe(400)
})

test('a Worker that does not declare the class has no namespace', () => {
  // a class that is exported but not declared
  expect(findBridgeNamespace({ Bridge: () => {} })).toBeNull()
  expect(findBridgeNamespace({})).toBeNull()
})
