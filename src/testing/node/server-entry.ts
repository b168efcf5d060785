import type { Settings } from '../../mcp/settings.ts'
import { type Served, substitute } from '../../serve/fetch.ts'
import { createRoute } from '../../serve/routes.ts'
import { type Duration, isDuration } from '../../util/duration.ts'
import { findWorkerParts } from '../../worker-settings.ts'
import { advanceClock } from '../clock.ts'
import { type FakeCaller, withCaller } from '../fake-caller.ts'
import { controlHeaders } from '../test-server.ts'

/*
 * What `startServer` bundles in front of the main module of a Worker. It is in no bundle that wrangler
 * deploys, so that nothing here can be reached in production.
 */

/** The default export of a main module: the part that is replaced. */
interface MainExport {
  readonly fetch: (
    request: Request,
    env: Cloudflare.Env,
    ctx: ExecutionContext,
  ) => Promise<Response>
}

/** Returns the default export with a `fetch` that obeys the test which knows the key. */
export function toTestedExport<Main extends MainExport>(main: Main, key: string): Main {
  // a class of an entrypoint is served as it is, without fake callers
  if (typeof main === 'function') return main
  const parts = findWorkerParts(main.fetch)
  const served = new Map<string, Served>()

  async function fetchTested(
    request: Request,
    env: Cloudflare.Env,
    ctx: ExecutionContext,
  ): Promise<Response> {
    const { headers } = request
    if (headers.get(controlHeaders.key) !== key) return main.fetch(request, env, ctx)
    const by = headers.get(controlHeaders.advance)
    if (by !== null && isDuration(by)) return advance(by)
    const caller = headers.get(controlHeaders.caller)
    if (caller !== null && parts !== null) {
      const known = served.get(caller) ?? createServed(parts.settings, JSON.parse(caller))
      served.set(caller, known)
      substitute(ctx, known)
    }
    return main.fetch(request, env, ctx)
  }

  return { ...main, fetch: fetchTested }
}

function createServed(settings: Settings, caller: FakeCaller): Served {
  const own = withCaller(settings, caller)
  return { settings: own, route: createRoute(own) }
}

async function advance(by: Duration): Promise<Response> {
  advanceClock(by)
  for (const runDue of called.values()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as time passes
    await runDue()
  }
  return new Response()
}

/** How to run the alarm of each object that was created, if it is due, by class and id. */
const called = new Map<string, () => Promise<unknown>>()

type ObjectClass = new (
  ctx: DurableObjectState,
  env: Cloudflare.Env,
) => { alarm?(): void | Promise<void> }

/** Returns the class with a method that runs its alarm if it is due by the clock of the test. */
export function withDueAlarm(name: string, Base: ObjectClass): ObjectClass {
  return class extends Base {
    readonly #storage: DurableObjectStorage

    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env)
      this.#storage = ctx.storage
      const id = String(ctx.id)
      const namespace: unknown = Object(ctx).exports?.[name]
      if (namespace === undefined) return
      called.set(`${name} ${id}`, () => {
        const objects = Object(namespace)
        return objects.get(objects.idFromString(id)).runDueAlarm()
      })
    }

    async runDueAlarm(): Promise<void> {
      const alarm = await this.#storage.getAlarm()
      if (alarm === null || alarm > Date.now()) return
      await this.#storage.deleteAlarm()
      await this.alarm?.()
    }
  }
}
