import { WorkerEntrypoint, withEnvAndExports } from 'cloudflare:workers'
import type { Callee } from './workers-cache-key.ts'

/** Named entrypoints, by name. */
export type Entrypoints = Readonly<
  Record<string, new (...args: never[]) => Rpc.WorkerEntrypointBranded>
>

/** What `ctx.exports` has for them in production. */
export type Loopbacks<Classes extends Entrypoints> = {
  readonly [Name in keyof Classes]: LoopbackServiceStub<InstanceType<Classes[Name]>>
}

/** What stands between a stub and its entrypoint. */
export interface Between {
  fetch(callee: Callee, request: Request, run: Run): Promise<Response>
  /** `ctx.cache` of an invocation. */
  cacheOf(callee: Callee): CacheContext
  readonly waitUntil: (promise: Promise<unknown>) => void
}

/** Runs the `fetch` of an entrypoint, each time on a new instance. */
export type Run = (request: Request) => Promise<Response>

/**
 * Something shaped like `ctx.exports`: the entrypoints with `between` before them, and the others as
 * they are. The overload says what no compiler can follow: that each class gets its own stub.
 */
export function toExports<Classes extends Entrypoints, Others extends object>(
  classes: Classes,
  env: unknown,
  others: Others | undefined,
  between: Between,
): Loopbacks<Classes> & Others
export function toExports(
  classes: Entrypoints,
  env: unknown,
  others: object | undefined,
  between: Between,
): object {
  const exports: Record<string, unknown> = { ...others }
  // copied: handed the env of cloudflare:workers itself, withEnvAndExports looks itself up for ever
  const bindings = { ...Object(env) }
  for (const [name, entrypoint] of Object.entries(classes)) {
    const withProps = ({ props = {} }: { readonly props?: unknown } = {}) =>
      toStub(
        { entrypoint: name, props: structuredClone(props) },
        { entrypoint, env: bindings, exports, between },
      )
    exports[name] = Object.assign(withProps, withProps())
  }
  return exports
}

/** What an entrypoint is run with. */
interface Surroundings {
  readonly entrypoint: Entrypoints[string]
  readonly env: unknown
  readonly exports: object
  readonly between: Between
}

function toStub(callee: Callee, surroundings: Surroundings): object {
  const run: Run = async (request) => {
    const response = await invoke(callee, surroundings, 'fetch', [request])
    if (!(response instanceof Response)) throw new TypeError('fetch returned no Response.')
    return response
  }
  const methods = listMethods(surroundings.entrypoint).map((name) => [
    name,
    (...args: unknown[]) => invoke(callee, surroundings, name, args),
  ])
  return {
    ...Object.fromEntries(methods),
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      surroundings.between.fetch(callee, new Request(input, init), run),
  }
}

/** Calls a method as the platform would: on a new instance, with the stand-in all around it. */
async function invoke(
  callee: Callee,
  { entrypoint, env, exports, between }: Surroundings,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const context = {
    props: structuredClone(callee.props),
    exports,
    cache: between.cacheOf(callee),
    waitUntil: between.waitUntil,
    passThroughOnException: () => {},
  }
  // until the callee has answered, what it imports from cloudflare:workers is the stand-in's as well
  return withEnvAndExports(env, exports, async () => {
    const instance: unknown = Reflect.construct(entrypoint, [context, env])
    if (!(instance instanceof WorkerEntrypoint)) throw new TypeError('That is no entrypoint.')
    const method: unknown = Reflect.get(instance, name)
    if (typeof method !== 'function') throw new TypeError(`There is no method ${name}.`)
    const returned: unknown = await Reflect.apply(method, instance, args)
    return returned
  })
}

/**
 * The methods that RPC would reach: those of the class, not those of an instance. They are named one
 * by one because a stub that had every method would have `then` and be taken for a promise.
 */
function listMethods(entrypoint: unknown): readonly string[] {
  if (typeof entrypoint !== 'function' || entrypoint === WorkerEntrypoint) return []
  const prototype: unknown = entrypoint.prototype
  if (typeof prototype !== 'object' || prototype === null) return []
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name)
  return [...own, ...listMethods(Object.getPrototypeOf(entrypoint))]
}
