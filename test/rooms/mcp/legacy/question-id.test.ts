import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Call } from '../../../../src/mcp/call.ts'
import {
  readAnswerText,
  receiveAnswer,
  sealQuestionId,
} from '../../../../src/mcp/legacy/question-id.ts'
import { findBridgeNamespace, openBridge } from '../../../../src/state/bridge.ts'
import { type CallChanges, createCall, createSettings } from '../test-call.ts'

interface Who {
  readonly server?: string
  readonly callerDigest?: string
  readonly nonce?: string
}

/** A call of ada in a session that several callers may use, because it began anonymously. */
function callOf(
  { server = 'shop', callerDigest = 'ada', nonce = 'n' }: Who,
  changes?: CallChanges,
) {
  const settings = createSettings({}, { serverInfo: { name: server, version: '1' } })
  const call = createCall(settings, 'tools/call', {}, { callerDigest, ...changes })
  const version = '2025-11-25'
  call.session = { nonce, version, capabilities: {}, caller: '', issued: Date.now() }
  return call
}

async function answer(call: Call, id: string): Promise<string> {
  const outcome = await receiveAnswer(call, { kind: 'response', id, answer: { result: {} } })
  return outcome?.kind ?? 'accepted'
}

/** Opens a question of ada, and returns its id. */
async function openQuestion() {
  const namespace = findBridgeNamespace(exports)
  if (namespace === null) throw new TypeError('The fixture has no Bridge.')
  const { object, forward, close } = await openBridge(namespace, { count: 1, ms: 60_000 })
  void forward(() => {})
  return { id: await sealQuestionId(callOf({}), { object, index: 0 }), close }
}

test.each<[string, Who]>([
  ['caller of the session', { callerDigest: 'eve' }],
  ['session of the caller', { nonce: 'other' }],
  ['server with the same key', { server: 'bank' }],
])('no other %s can answer', async (_, who) => {
  const { id, close } = await openQuestion()
  expect(await answer(callOf(who), id)).toBe('failure')
  expect(await answer(callOf({}), id)).toBe('accepted')
  // once
  expect(await answer(callOf({}), id)).toBe('failure')
  close()
})

test('a server without a key has asked nothing', async () => {
  const bare = {
    env: { STATE_KEY: undefined },
    exports: { Bridge: Reflect.get(exports, 'Bridge') },
  }
  expect(await answer(callOf({}, bare), 'forged')).toBe('failure')
})

test('the sender of an answer is a caller, or nobody', () => {
  const ada = { subject: 'ada', scopes: ['pay'], claims: {} }
  const read = (caller: unknown) => readAnswerText(JSON.stringify({ answer: 1, caller }))
  expect(read(ada)).toEqual({ answer: 1, caller: ada })
  expect(read({ ...ada, scopes: 'pay' })).toEqual({ answer: 1, caller: null })
  expect(readAnswerText('5')).toEqual({ answer: undefined, caller: null })
})
