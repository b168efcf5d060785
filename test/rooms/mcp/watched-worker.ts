import type { Registry } from '../../../src/define/registry.ts'
import type { Settings } from '../../../src/mcp/settings.ts'
import type { FoundRun, RunClaimTimes } from '../../../src/objects/stored-claim.ts'
import type { RunClaims } from '../../../src/state/claims.ts'
import type { Limits } from '../../../src/state/limits.ts'
import { type Made, toRegistry } from '../../spec/registry.ts'
import { type WorkerChanges, createSettings } from './test-call.ts'

/** Notes a step of a call. */
export type Note = (step: string) => void

/** How the limits of a watched Worker answer. */
export interface LimitAnswers {
  readonly isFull?: boolean
  readonly isUsedUp?: boolean
}

/** A Worker whose modules and state note the steps that its calls take. */
export interface WatchedWorker {
  readonly settings: Settings
  readonly steps: string[]
  /** The key of each call that was counted. */
  readonly counted: (readonly string[])[]
  /** How long each claim was asked for. */
  readonly claimed: RunClaimTimes[]
}

/** Creates a Worker with the modules that `make` returns. Importing one is a step, too. */
export function createWatchedWorker(
  make: (note: Note) => Readonly<Record<string, Made>>,
  { isFull = false, isUsedUp = false }: LimitAnswers = {},
  changes: WorkerChanges = {},
): WatchedWorker {
  const steps: string[] = []
  const counted: (readonly string[])[] = []
  const claimed: RunClaimTimes[] = []
  const used = new Set<string>()
  const note: Note = (step) => void steps.push(step)
  const limits: Limits = {
    async takeLease() {
      note('begin')
      return isFull ? { allowed: false, retryMs: 1_000 } : { allowed: true }
    },
    async takeToken(key) {
      if (key[0] === 'round') {
        note('round')
        const isFirst = !used.has(key.join())
        used.add(key.join())
        return isFirst ? { allowed: true, remaining: 0 } : { allowed: false, retryMs: 1_000 }
      }
      note('count')
      counted.push(key)
      return isUsedUp ? { allowed: false, retryMs: 1_000 } : { allowed: true, remaining: 1 }
    },
    async endLease() {
      // an object is never there at once
      await scheduler.wait(1)
      note('end')
    },
  }
  const settings = createSettings(
    {},
    {
      registry: watchLoads(toRegistry(make(note)), note),
      ...changes,
      state: { limits, claims: createClaimsStub(note, claimed), ...changes.state },
    },
  )
  return { settings, steps, counted, claimed }
}

/** Claims as the Durable Object answers them, each nonce in memory. */
function createClaimsStub(note: Note, claimed: RunClaimTimes[]): RunClaims {
  const found = new Map<string, FoundRun>()
  return {
    createNonce() {
      note('nonce')
      return crypto.randomUUID()
    },
    async claim(nonce, times) {
      note('claim')
      claimed.push(times)
      const run = found.get(nonce)
      if (run !== undefined) return run
      found.set(nonce, { kind: 'running' })
      return { kind: 'yours' }
    },
    async look(nonce) {
      note('look')
      return found.get(nonce) ?? null
    },
    async finish(nonce, result) {
      // longer than the end of the call takes, which must come after it
      await scheduler.wait(5)
      note('finish')
      found.set(nonce, { kind: 'done', result })
    },
  }
}

function watchLoads(registry: Registry, note: Note): Registry {
  const watch = <Entry extends { readonly load: () => Promise<unknown> }>(entry: Entry): Entry => {
    const { load } = entry
    return Object.assign({}, entry, {
      load() {
        note('load')
        return load()
      },
    })
  }
  const { tools, prompts, resources } = registry
  return {
    ...registry,
    tools: tools.map(watch),
    prompts: prompts.map(watch),
    resources: resources.map(watch),
  }
}
