import { type ClientOptions, createClient } from '../client/client.ts'
import type { WorkerFetch } from '../server.ts'
import type { Duration } from '../util/duration.ts'
import { type WorkerParts, findWorkerParts } from '../worker-settings.ts'
import { CalledObjects } from './alarms.ts'
import type { LogLine } from './captured-log.ts'
import { advanceClock, resetClock } from './clock.ts'
import type { FakeCaller } from './fake-caller.ts'
import { serveInProcess } from './in-process.ts'
import type { TestServer } from './test-server.ts'
import { type Platform, findPlatform } from './platform.ts'
import { type TestClient, createTestClient } from './typed-client.ts'
import type { LogEntry, WorkersCache } from './workers-cache/workers-cache.ts'

/** How a test's client calls a Worker in its own isolate. */
export interface ConnectOptions extends Pick<ClientOptions, 'answers' | 'headers' | 'token'> {
  /** Who calls, without a token. By default the Worker's own `auth` decides, by the `token`. */
  readonly caller?: FakeCaller | null
  /** Bindings to add to those of the Worker, or to replace. */
  readonly env?: Partial<Cloudflare.Env> & object
}

/** A client of a Worker that runs in the isolate of the test. */
export interface WorkerTestClient<Definitions = unknown> extends TestClient<Definitions> {
  /** The lines of the Worker's log for this client, oldest first. Those of Durable Objects are not here. */
  readonly log: readonly LogLine[]
  /** The audit lines: one for each request. */
  readonly audit: () => readonly LogLine[]
  /** What the stand-in of Workers Cache did, for all clients of the Worker. */
  readonly cache: () => readonly LogEntry[]
  /**
   * Moves the time forward for the Worker, its caches and its Durable Objects, and runs the alarms that
   * are due then. Timers are not affected.
   */
  readonly advance: (by: Duration) => Promise<void>
  /** Waits for what continues after responses, such as `waitUntil`, and returns to the real time. */
  readonly close: () => Promise<void>
}

/** A client of a server elsewhere, such as `wrangler dev`. */
export type ConnectUrlOptions = Omit<ClientOptions, 'url'>

/** The default export of a main module: its `fetch` is that of `createWorker`, or calls it with its `ctx`. */
export interface TestedWorker<Definitions = unknown> {
  readonly fetch: WorkerFetch<Definitions>
}

/** How a client calls a server of `startServer`. */
export type ConnectServerOptions = Omit<ConnectOptions, 'env'>

/**
 * Connects to a Worker: to the one that `createWorker` returned, in this isolate; to one of
 * `startServer`; or to any server by the URL of its endpoint.
 *
 * @throws {TypeError} if no Worker was created in this isolate.
 */
export function connect<Definitions>(
  worker: TestedWorker<Definitions>,
  options?: ConnectOptions,
): WorkerTestClient<Definitions>
export function connect<Definitions>(
  server: TestServer<Definitions>,
  options?: ConnectServerOptions,
): TestClient<Definitions>
export function connect<Definitions = unknown>(
  url: string | URL,
  options?: ConnectUrlOptions,
): TestClient<Definitions>
export function connect(
  target: string | URL | TestServer | TestedWorker,
  options: ConnectOptions & ConnectServerOptions & ConnectUrlOptions = {},
): object {
  if (typeof target === 'string' || target instanceof URL) {
    return createTestClient(createClient({ ...options, url: target }), options.answers, [])
  }
  return isTestServer(target) ? connectToServer(target, options) : connectInProcess(target, options)
}

function isTestServer(target: object): target is TestServer {
  return 'toCallerHeaders' in target
}

function connectToServer(server: TestServer, options: ConnectServerOptions): TestClient {
  const { caller = null, headers = {}, ...others } = options
  const callerHeaders = caller === null ? {} : server.toCallerHeaders(caller)
  const client = createClient({
    ...others,
    url: server.endpoint,
    headers: { ...headers, ...callerHeaders },
  })
  return createTestClient(client, options.answers, [])
}

function connectInProcess(worker: TestedWorker, options: ConnectOptions): WorkerTestClient {
  const parts = findWorkerParts(worker.fetch)
  if (parts === null) {
    throw new TypeError(
      'connect() received a Worker, but createWorker was not called. Pass the default export of your main ' +
        'module. A server elsewhere is passed as its URL.',
    )
  }
  const { caller, token, env, answers, headers } = options
  const opening = openPlatform(parts, env)
  const server = serveInProcess((...args) => worker.fetch(...args), parts.settings, {
    caller,
    isQuiet: false,
    openPlatform: () => opening,
  })
  const client = createClient({
    url: `http://localhost${parts.settings.endpoint}`,
    fetch: server.fetch,
    ...(token !== undefined && { token }),
    ...(headers !== undefined && { headers }),
    ...(answers !== undefined && { answers }),
  })
  async function close(): Promise<void> {
    await server.settled()
    await (await opening).cache.settled()
    resetClock()
  }
  const own = {
    log: server.lines,
    audit: () => server.lines.filter(({ fields }) => fields['what'] === 'audit'),
    cache: () => caches.get(parts)?.log ?? [],
    async advance(by: Duration) {
      advanceClock(by)
      await (await opening).objects.runDueAlarms()
    },
    close,
  }
  return Object.assign(createTestClient(client, answers, server.lines), own)
}

/** One cache for each Worker, as in production: what one client reads is cached for others. */
const caches = new WeakMap<WorkerParts, WorkersCache>()

interface CachedPlatform extends Platform {
  readonly cache: WorkersCache
  readonly objects: CalledObjects
}

async function openPlatform(
  parts: WorkerParts,
  added: ConnectOptions['env'],
): Promise<CachedPlatform> {
  const platform = await findPlatform()
  if (platform === null) {
    throw new TypeError(
      'connect() calls a Worker in workerd, and this is not workerd. Run the test in vitest with the plugin ' +
        '@cloudflare/vitest-plugin, or connect to a server of startServer() from helve/testing/node.',
    )
  }
  const env: Cloudflare.Env = Object.assign({}, platform.env, added)
  // these modules exist in workerd alone
  const [{ createWorkersCache }, { createListingsClass }] = await Promise.all([
    import('./workers-cache/workers-cache.ts'),
    import('../cache/listings-entrypoint.ts'),
  ])
  const cache = caches.get(parts) ?? createWorkersCache({ now: () => Date.now() })
  caches.set(parts, cache)
  const { settings, purges } = parts
  const Listings = createListingsClass(settings.compute, purges)
  const objects = new CalledObjects()
  const others = objects.watch(Object(platform.exports))
  return { env, exports: cache.inFrontOf({ Listings }, env, others), cache, objects }
}
