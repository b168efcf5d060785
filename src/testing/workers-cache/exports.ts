import { WorkerEntrypoint, withEnvAndExports } from 'cloudflare:workers'
import type { Callee } from './key.ts'

/** Named entrypoints, by name. */
export type Entrypoints = Readonly<
  Record<string, new (...args: never[]) => Rpc.WorkerEntrypointBranded>
>

/** The type of their stubs in `ctx.exports` in production. */
export type Loopbacks<Classes extends Entrypoints> = {
  readonly [Name in keyof Classes]: LoopbackServiceStub<InstanceType<Classes[Name]>>
}

/** The cache between a stub and its entrypoint. */
export interface Interceptor {
  fetch(callee: Callee, request: Request, run: RunEntrypoint): Promise<Response>
  /** `ctx.cache` of an invocation. */
  cacheOf(callee: Callee): CacheContext
  readonly waitUntil: (promise: Promise<unknown>) => void
}

/** Runs the `fetch` of an entrypoint, each time on a new instance. */
export type RunEntrypoint = (request: Request) => Promise<Response>

/**
 * Creates an object like `ctx.exports`: the entrypoints with `interceptor` before them, and the others
 * unchanged. The overload has what the compiler cannot infer: that each class gets its own stub.
 */
export function toExports<Classes extends Entrypoints, Others extends object>(
  classes: Classes,
  env: unknown,
  others: Others | undefined,
  interceptor: Interceptor,
): Loopbacks<Classes> & Others
export function toExports(
  classes: Entrypoints,
  env: unknown,
  others: object | undefined,
  interceptor: Interceptor,
): object {
  const exports: Record<string, unknown> = { ...others }
  // a copy: with the env of cloudflare:workers itself, withEnvAndExports would recurse without end
  const bindings = { ...Object(env) }
  for (const [name, entrypoint] of Object.entries(classes)) {
    const withProps = ({ props = {} }: { readonly props?: unknown } = {}) =>
      toStub(
        { entrypoint: name, props: structuredClone(props) },
        { entrypoint, env: bindings, exports, interceptor },
      )
    exports[name] = Object.assign(withProps, withProps())
  }
  return exports
}

/** What a call of an entrypoint needs. */
interface Invocation {
  readonly entrypoint: Entrypoints[string]
  readonly env: unknown
  readonly exports: object
  readonly interceptor: Interceptor
}

function toStub(callee: Callee, invocation: Invocation): object {
  const run: RunEntrypoint = async (request) => {
    const response = await invoke(callee, invocation, 'fetch', [request])
    if (!(response instanceof Response)) throw new TypeError('fetch did not return a Response.')
    return response
  }
  const methods = listMethods(invocation.entrypoint).map((name) => [
    name,
    (...args: unknown[]) => invoke(callee, invocation, name, args),
  ])
  return {
    ...Object.fromEntries(methods),
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      invocation.interceptor.fetch(callee, new Request(input, init), run),
  }
}

/** Calls a method as the platform does: on a new instance, with the exports of the stand-in. */
async function invoke(
  callee: Callee,
  { entrypoint, env, exports, interceptor }: Invocation,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const context = {
    props: structuredClone(callee.props),
    exports,
    cache: interceptor.cacheOf(callee),
    waitUntil: interceptor.waitUntil,
    passThroughOnException: () => {},
  }
  // while the callee runs, its imports from cloudflare:workers are those of the stand-in, too
  return withEnvAndExports(env, exports, async () => {
    const instance: unknown = Reflect.construct(entrypoint, [context, env])
    if (!(instance instanceof WorkerEntrypoint))
      throw new TypeError('The class is not a WorkerEntrypoint.')
    const method: unknown = Reflect.get(instance, name)
    if (typeof method !== 'function') throw new TypeError(`There is no method ${name}.`)
    const returned: unknown = await Reflect.apply(method, instance, args)
    return returned
  })
}

/**
 * Lists the methods that RPC reaches: those of the class, not those of an instance. A stub with every
 * method would also have `then`, and would be treated as a promise.
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
