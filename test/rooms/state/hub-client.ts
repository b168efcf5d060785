import { exports } from 'cloudflare:workers'
import type { Hub } from '../../../src/objects/hub-object.ts'
import { isJsonObject } from '../../../src/protocol/json.ts'
import type { ListenRequest } from './hub-fixture.ts'

/** A client that listens, and reads one message after the other. */
export interface Listening {
  /** The next message; `null` at the end of the stream; throws after three seconds without one. */
  readonly next: () => Promise<unknown>
  /** All that arrives within the time. */
  readonly during: (ms: number) => Promise<readonly unknown[]>
  readonly leave: () => Promise<void>
}

/** A shard of the hub, as the test tools need it. */
export function hubShard(index = 0): DurableObjectStub<Hub> {
  const namespace: unknown = Reflect.get(exports, 'Hub')
  if (!isHubNamespace(namespace)) throw new TypeError('The fixture has no Hub.')
  return namespace.getByName(`hub-${index}`)
}

/** Posts to the fixture, which handles it in its own request. */
export async function post(path: string, body: object): Promise<Response> {
  const worker: unknown = Reflect.get(exports, 'default')
  if (!isFetcher(worker)) throw new TypeError('The fixture has no default export.')
  return worker.fetch(`https://fixture${path}`, { method: 'POST', body: JSON.stringify(body) })
}

/** Listens, and reads the acknowledgement. */
export async function listen(request: Partial<ListenRequest> = {}): Promise<Listening> {
  const listening = await open(request)
  const first = await listening.next()
  if (methodOf(first) !== 'notifications/subscriptions/acknowledged') {
    throw new TypeError(`Not acknowledged: ${JSON.stringify(first)}`)
  }
  return listening
}

/** Listens, and leaves every message on the stream. */
export async function open(request: Partial<ListenRequest> = {}): Promise<Listening> {
  const response = await post('/', { id: 1, notifications: { toolsListChanged: true }, ...request })
  const lines = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream<string, unknown>(new EventParser()))
    .getReader()
  if (lines === undefined) throw new TypeError('The fixture sent no body.')
  // a read that timed out is still under way, and gets the next message
  let reading: Promise<{ done: boolean; value?: unknown }> | null = null
  const read = async (ms: number): Promise<unknown> => {
    reading ??= lines.read()
    const result = await Promise.race([reading, scheduler.wait(ms).then(() => null)])
    if (result === null) return silence
    reading = null
    return result.done ? null : result.value
  }
  return {
    async next() {
      const message = await read(3_000)
      if (message === silence) throw new Error('No message within three seconds.')
      return message
    },
    async during(ms) {
      const end = Date.now() + ms
      const messages: unknown[] = []
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
        const message = await read(Math.max(0, end - Date.now()))
        if (message === silence || message === null) return messages
        messages.push(message)
      }
    },
    leave: () => lines.cancel(),
  }
}

/** The method of a message, for comparisons that look at nothing else. */
export function methodOf(message: unknown): unknown {
  return isJsonObject(message) ? message['method'] : null
}

const silence = Symbol('silence')

/** Parses server-sent events of one `data:` line each, and skips comments. */
class EventParser implements Transformer<string, unknown> {
  #rest = ''

  transform(chunk: string, controller: TransformStreamDefaultController<unknown>): void {
    const events = (this.#rest + chunk).split('\n\n')
    this.#rest = events.pop() ?? ''
    for (const event of events) {
      if (event.startsWith('data: ')) controller.enqueue(JSON.parse(event.slice(6)))
    }
  }
}

function isHubNamespace(value: unknown): value is DurableObjectNamespace<Hub> {
  return Object(value) === value && Reflect.has(Object(value), 'getByName')
}

function isFetcher(value: unknown): value is Fetcher {
  return Object(value) === value && Reflect.has(Object(value), 'fetch')
}
