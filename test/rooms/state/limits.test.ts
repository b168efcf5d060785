import { runInDurableObject } from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import { type LimitObject, StoredLimit } from '../../../src/objects/stored-limit.ts'
import { createLimits, type LimitNamespace, type Limits } from '../../../src/state/limits.ts'
import { namespace, rowsWritten, tablesOf } from './handles-client.ts'

const minute = 60_000
// a token comes back every twelve minutes: no test takes as long
const five = { tokens: 5, perMs: 60 * minute }
const two = { most: 2, ms: 30_000 }

/** Limits of one test, on the storage of real objects, and the calls to objects. */
function createClient(): { limits: Limits; hops: string[]; stub: DurableObjectStub; own: string } {
  const own = crypto.randomUUID()
  const hops: string[] = []
  const inside = <Value>(id: DurableObjectId, work: (limit: StoredLimit) => Promise<Value>) =>
    runInDurableObject(namespace().get(id), (_, { storage }) => work(new StoredLimit(storage)))
  const objects: LimitNamespace = {
    idFromName: (name) => namespace().idFromName(own + name),
    get: (id): LimitObject => ({
      takeToken(rule) {
        hops.push('takeToken')
        return inside(id, (limit) => limit.takeToken(rule))
      },
      takeLease(lease, rule) {
        hops.push('takeLease')
        return inside(id, (limit) => limit.takeLease(lease, rule))
      },
      endLease(lease) {
        hops.push('endLease')
        return inside(id, (limit) => limit.endLease(lease))
      },
    }),
  }
  const stub = namespace().get(objects.idFromName('["limit","a"]'))
  return { limits: createLimits(objects), hops, stub, own }
}

function stubOf({ own }: { own: string }, key: string): DurableObjectStub {
  return namespace().get(namespace().idFromName(own + key))
}

function ring(stub: DurableObjectStub): Promise<void> {
  return runInDurableObject(stub, (_, { storage }) => new StoredLimit(storage).alarm())
}

/** Moves the stored times into the past; the alarm stays as it is. */
function age(stub: DurableObjectStub, ms: number): Promise<void> {
  return runInDurableObject(stub, (_, { storage: { kv } }) => {
    const bucket = kv.get<{ at: number }>('bucket')
    if (bucket !== undefined) kv.put('bucket', { ...bucket, at: bucket.at - ms })
    const leases = kv.get<{ until: number }[]>('leases')
    if (leases === undefined) return
    const older = leases.map((lease) => ({ ...lease, until: lease.until - ms }))
    kv.put('leases', older)
  })
}

test('twenty callers over their limit each get exactly their share, with one call to an object each', async () => {
  const { limits, hops } = createClient()
  const callers = Array.from({ length: 20 }, (_, index) => `caller ${index}`)
  const shares = await Promise.all(
    callers.map(async (caller) => {
      const calls = Array.from({ length: 12 }, () => limits.takeToken(['slow', caller], five))
      const answers = await Promise.all(calls)
      return answers.filter(({ allowed }) => allowed).length
    }),
  )
  expect(shares).toEqual(callers.map(() => 5))
  expect(hops).toEqual(Array.from({ length: 240 }, () => 'takeToken'))
})

test('a used-up limit does not affect other callers and tools', async () => {
  const { limits } = createClient()
  await Promise.all(Array.from({ length: 9 }, () => limits.takeToken(['a', 'alice'], five)))
  expect((await limits.takeToken(['a', 'alice'], five)).allowed).toBe(false)
  expect(await limits.takeToken(['a', 'bob'], five)).toEqual({ allowed: true, remaining: 4 })
  expect(await limits.takeToken(['b', 'alice'], five)).toEqual({ allowed: true, remaining: 4 })
})

test('different keys are different buckets, whatever characters they have', async () => {
  const { limits } = createClient()
  const one = { tokens: 1, perMs: minute }
  const keys = [['a', 'b'], ['a","b'], ['a,b'], ['a', 'b', '']]
  const answers = await Promise.all(keys.map((key) => limits.takeToken(key, one)))
  expect(answers.every(({ allowed }) => allowed)).toBe(true)
})

test('a call writes one row, the first one also its alarm, and a refused one nothing', async () => {
  const { limits, stub } = createClient()
  await limits.takeToken(['a'], five)
  expect(await rowsWritten(stub)).toBe(2)
  await limits.takeToken(['a'], five)
  expect(await rowsWritten(stub)).toBe(3)
  await Promise.all(Array.from({ length: 3 }, () => limits.takeToken(['a'], five)))
  expect((await limits.takeToken(['a'], five)).allowed).toBe(false)
  expect(await rowsWritten(stub)).toBe(6)
})

test('a bucket is stored until it is full, and then deleted', async () => {
  const { limits, stub } = createClient()
  await Promise.all(Array.from({ length: 5 }, () => limits.takeToken(['a'], five)))
  await age(stub, 30 * minute)
  await ring(stub)
  expect(await alarmOf(stub)).toBeGreaterThan(Date.now())
  expect(await limits.takeToken(['a'], five)).toEqual({ allowed: true, remaining: 1 })
  await age(stub, 60 * minute)
  await ring(stub)
  expect(await tablesOf(stub)).toBe(0)
  // one more alarm stores nothing
  await ring(stub)
  expect(await tablesOf(stub)).toBe(0)
  expect(await limits.takeToken(['a'], five)).toEqual({ allowed: true, remaining: 4 })
})

test('the alarm of a short limit fires at most once a minute', async () => {
  const { limits, stub } = createClient()
  const began = Date.now()
  await limits.takeToken(['a'], { tokens: 1, perMs: 10 })
  expect(await alarmOf(stub)).toBeGreaterThanOrEqual(began + minute)
})

test('concurrent calls are limited, and an ended one frees its place', async () => {
  const client = createClient()
  const { limits, hops } = client
  const begin = (id: string) => limits.takeLease(['slow', 'alice'], id, two)
  const answers = await Promise.all(['a', 'b', 'c'].map(begin))
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(2)
  expect((await limits.takeLease(['slow', 'bob'], 'd', two)).allowed).toBe(true)
  await limits.endLease(['slow', 'alice'], 'a')
  await limits.endLease(['slow', 'alice'], 'a')
  await limits.endLease(['slow', 'alice'], 'never begun')
  expect((await begin('e')).allowed).toBe(true)
  expect((await begin('f')).allowed).toBe(false)
  expect(hops.filter((hop) => hop === 'takeLease')).toHaveLength(6)
})

test('a lease of a Worker that died ends by itself, and is deleted', async () => {
  const client = createClient()
  const { limits } = client
  const stub = stubOf(client, '["parallel","slow"]')
  await Promise.all(['a', 'b'].map((id) => limits.takeLease(['slow'], id, two)))
  const refused = await limits.takeLease(['slow'], 'c', two)
  expect(refused).toEqual({ allowed: false, retryMs: expect.any(Number) })
  await age(stub, 30_000)
  expect((await limits.takeLease(['slow'], 'd', two)).allowed).toBe(true)
  await ring(stub)
  expect(await tablesOf(stub)).toBeGreaterThan(0)
  await limits.endLease(['slow'], 'd')
  await ring(stub)
  expect(await tablesOf(stub)).toBe(0)
  await limits.endLease(['slow'], 'd')
  expect(await tablesOf(stub)).toBe(0)
})

test('a token comes back after its time, and not earlier', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { limits } = createClient()
    await Promise.all(Array.from({ length: 5 }, () => limits.takeToken(['a'], five)))
    const refused = await limits.takeToken(['a'], five)
    expect(refused).toEqual({ allowed: false, retryMs: 12 * minute })
    vi.setSystemTime(Date.now() + 12 * minute - 1)
    expect((await limits.takeToken(['a'], five)).allowed).toBe(false)
    vi.setSystemTime(Date.now() + 1)
    expect(await limits.takeToken(['a'], five)).toEqual({ allowed: true, remaining: 0 })
  } finally {
    vi.useRealTimers()
  }
})

function alarmOf(stub: DurableObjectStub): Promise<number | null> {
  return runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
}
