import { describe, expect, test } from 'vitest'
import {
  type HubEvent,
  type ListKind,
  type Listener,
  maxListenerBytes,
  readListener,
  toDeadline,
  toDelivery,
  toListenerText,
} from '../../../src/objects/hub-listener.ts'

const listener: Listener = {
  lists: ['tools', 'resources'],
  uris: ['shop://a', 'shop://b'],
  scopes: ['read', 'write'],
  until: 1_000_000,
  digest: 'v1',
}

const list = (kind: ListKind, ...needs: string[]): HubEvent => {
  return { kind: 'list-changed', list: kind, needs }
}

const update = (uri: string, ...needs: string[]): HubEvent => {
  return { kind: 'resource-updated', uri, needs }
}

describe('the text of a listener', () => {
  test('is ASCII, and is read as what was written', () => {
    const exotic = { ...listener, uris: ['shop://ü', 'shop://🫖', 'shop://\u007f\n"'] }
    const text = toListenerText(exotic)
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(readListener(text)).toEqual(exotic)
  })

  test('is null when it cannot be read', () => {
    const { digest, ...partial } = listener
    const texts = ['', '{', '[]', 'null', '{}', JSON.stringify(partial), `"${digest}"`]
    const wrong = { ...listener, uris: ['shop://a', 1] }
    expect([...texts, JSON.stringify(wrong)].map(readListener)).toEqual(Array(8).fill(null))
  })

  test('is read without the lists that this version does not know', () => {
    const newer = JSON.stringify({ ...listener, lists: ['agents', 'tools'], more: true })
    expect(readListener(newer)).toEqual({ ...listener, lists: ['tools'] })
  })

  test('fits the attachment of a WebSocket at its maximum size', () => {
    const room = maxListenerBytes - toListenerText({ ...listener, uris: [''] }).length
    const text = toListenerText({ ...listener, uris: ['x'.repeat(room)] })
    expect(text).toHaveLength(maxListenerBytes)
    const { 0: socket } = new WebSocketPair()
    socket.serializeAttachment({ joined: Date.now(), listener: text })
    expect(() => socket.serializeAttachment(text + 'x'.repeat(400))).toThrow(/16384/)
  })
})

describe('the delivery to a listener has', () => {
  test.for<[string, readonly HubEvent[], unknown]>([
    ['nothing of nothing', [], null],
    ['a list that it asked for', [list('tools')], { lists: ['tools'], uris: [] }],
    ['no list that it did not ask for', [list('prompts')], null],
    ['a list once', [list('tools', 'read'), list('tools')], { lists: ['tools'], uris: [] }],
    [
      'what needs scopes that it has',
      [list('tools', 'read', 'write')],
      { lists: ['tools'], uris: [] },
    ],
    ['nothing that needs one more', [list('tools', 'read', 'admin')], null],
    ['a resource by its exact URI', [update('shop://a')], { lists: [], uris: ['shop://a'] }],
    ['no resource whose URI only begins alike', [update('shop://a/b'), update('shop://')], null],
    ['no resource that needs a scope it lacks', [update('shop://a', 'admin')], null],
    [
      'the lists in one order, and the resources as they came',
      [update('shop://b'), list('resources'), update('shop://a'), list('tools')],
      { lists: ['tools', 'resources'], uris: ['shop://b', 'shop://a'] },
    ],
  ])('%s', ([, events, delivery]) => {
    expect(toDelivery(listener, events)).toEqual(delivery)
  })
})

describe('the hub waits for a keep-alive', () => {
  test.for([
    ['two keep-alives after it joined', { joined: 1_000, pinged: null, until: 1e9 }, 31_000],
    ['two keep-alives after the last one', { joined: 1_000, pinged: 16_000, until: 1e9 }, 46_000],
    ['never past its end', { joined: 1_000, pinged: 16_000, until: 20_000 }, 20_000],
  ] as const)('%s', ([, life, deadline]) => {
    expect(toDeadline(life)).toBe(deadline)
  })
})
