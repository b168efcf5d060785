/** What `cloudflare:test` of Cloudflare's vitest plugin has for Durable Objects. */
interface ObjectTools {
  readonly runInDurableObject: <Value>(
    stub: unknown,
    run: (object: unknown, state: DurableObjectState) => Value | Promise<Value>,
  ) => Promise<Value>
  readonly runDurableObjectAlarm: (stub: unknown) => Promise<boolean>
}

/** The Durable Objects that a Worker has called in a test, so that their alarms can be run. */
export class CalledObjects {
  readonly #open = new Map<string, () => unknown>()

  /** Returns the same exports, with namespaces that note which objects are called. */
  watch(exports: object): object {
    const watched = Object.entries(exports).map(([name, value]) => [
      name,
      isNamespace(value) ? this.#watchNamespace(value) : value,
    ])
    return Object.fromEntries(watched)
  }

  #watchNamespace(namespace: object): object {
    return new Proxy(namespace, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...args: readonly unknown[]): unknown => {
          const open = (): unknown => Reflect.apply(member, target, args)
          const opened = open()
          if (key === 'jurisdiction') return this.#watchNamespace(Object(opened))
          if (key === 'get' || key === 'getByName') this.#open.set(String(Object(opened).id), open)
          return opened
        }
      },
    })
  }

  /** Runs the alarms that are due by the clock of the test, until none is. */
  async runDueAlarms(): Promise<void> {
    const name = 'cloudflare:test'
    const tools: ObjectTools = await import(/* @vite-ignore */ name)
    for (const open of this.#open.values()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as time passes
      await runWhileDue(open, tools)
    }
  }
}

/** An alarm may set the next one at a time that has passed as well. */
const mostRuns = 10

async function runWhileDue(open: () => unknown, tools: ObjectTools): Promise<void> {
  for (let run = 0; run < mostRuns; run += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each run decides about the next one
    const alarm = await tools.runInDurableObject(open(), (_, { storage }) => storage.getAlarm())
    if (alarm === null || alarm > Date.now()) return
    // oxlint-disable-next-line no-await-in-loop -- as above
    await tools.runDurableObjectAlarm(open())
  }
}

function isNamespace(value: unknown): value is object {
  // a class that is exported but not declared is a function too, without this method
  return typeof value === 'function' && 'newUniqueId' in value
}
