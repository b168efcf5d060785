/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { readHandleId } from '../../../src/state/handle-id.ts'
import { findCreator } from '../../../src/define/handle-kind.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { ToolError } from '../../../src/define/reply.ts'
import type { HandlesContext } from '../../../src/state/handle-client.ts'
import type { Handles } from '../../../src/define/handles.ts'
import { createHandles } from '../../../src/state/handles.ts'
import { type HandlesNamespace, readHandlesNamespace } from '../../../src/objects/handles-rpc.ts'

/** In milliseconds. */
export const hour = 3_600_000

const tools = ['create_basket', 'create_blink', 'create_box', 'note.create']

/** The handles of one caller, and every call to an object, by method. */
export interface Client {
  readonly handles: Handles
  readonly context: HandlesContext
  readonly hops: string[]
}

export function createClient(caller: string | null): Client {
  const hops: string[] = []
  const namespace = counting(readHandlesNamespace(exports), hops)
  const context: HandlesContext = {
    namespace: () => namespace,
    caller,
    creatorOf: (kind) => findCreator(kind, tools),
    log: () => new WorkerLog(createSanitizer([])),
  }
  return { handles: createHandles(context), context, hops }
}

/** A caller that no other test has. */
export function createStranger(): Client {
  return createClient(crypto.randomUUID())
}

/** The stub of a handle's object, as the test tools need it. */
export function stubOf(id: string): DurableObjectStub {
  const [prefix = ''] = id.split('_')
  return namespace().get(namespace().idFromString(readHandleId(prefix, id) ?? ''))
}

export function namespace(): DurableObjectNamespace {
  const found: unknown = Reflect.get(exports, 'Handles')
  if (!isNamespace(found)) throw new TypeError('The fixture has no Handles.')
  return found
}

/** How many rows an object has written since it started or was emptied, as SQLite counts. */
export async function rowsWritten(stub: DurableObjectStub): Promise<number> {
  return runInDurableObject(stub, (_, { storage }) =>
    Number(storage.sql.exec('SELECT total_changes() AS rows').one()['rows']),
  )
}

/** How many tables an object has, hidden ones included: 0 means that it stores nothing. */
export async function tablesOf(stub: DurableObjectStub): Promise<number> {
  return runInDurableObject(
    stub,
    (_, { storage }) => storage.sql.exec('SELECT name FROM sqlite_master').toArray().length,
  )
}

/** Moves the stored times into the past, as if that much time had passed; the alarm stays as it is. */
export async function age(stub: DurableObjectStub, ms: number): Promise<void> {
  await runInDurableObject(stub, (_, { storage: { kv } }) => {
    const stored = [...kv.list<Record<string, unknown>>()]
    for (const [key, value] of stored) {
      const times = ['createdAt', 'usedAt', 'endsAt', 'aliveUntil', 'expiresAt', 'nextRunAt']
        .filter((name) => name in value)
        .map((name) => [name, Number(value[name]) - ms])
      kv.put(key, { ...value, ...Object.fromEntries(times) })
    }
  })
}

/** Runs an object's alarm, whether or not one is set. */
export async function ring(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (object) => object.alarm?.())
}

/** Returns the message of the ToolError that `work` throws; anything else fails the test. */
export async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
  throw new Error('Nothing was refused.')
}

function counting(objects: HandlesNamespace, hops: string[]): HandlesNamespace {
  return {
    newUniqueId: () => objects.newUniqueId(),
    idFromName: (name) => objects.idFromName(name),
    idFromString: (id) => objects.idFromString(id),
    jurisdiction: (name) => objects.jurisdiction(name),
    get: (id) =>
      new Proxy(objects.get(id), {
        get(stub, method) {
          hops.push(String(method))
          const call: unknown = Reflect.get(stub, method)
          return call
        },
      }),
  }
}

function isNamespace(value: unknown): value is DurableObjectNamespace {
  return typeof value === 'function' && 'newUniqueId' in value
}
