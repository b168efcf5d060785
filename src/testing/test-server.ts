import type { Duration } from '../util/duration.ts'
import type { FakeCaller } from './fake-caller.ts'

/** A line that a Worker of {@link TestServer} printed. */
export interface PrintedLine {
  readonly level: string
  readonly message: string
}

/** A Worker that `startServer` of `helve/testing/node` runs in workerd. */
export interface TestServer<Definitions = unknown> {
  /** The MCP endpoint, on a free port of this machine. */
  readonly endpoint: string
  /** Sends a request to the Worker, such as `/mcp/tools`. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** The Worker's bindings, to fill a database or to see what a tool stored. */
  readonly getEnv: () => Promise<Cloudflare.Env>
  /** Runs the migrations of a D1 database, by the name of its binding. */
  readonly applyD1Migrations: (binding: string) => Promise<void>
  /** Runs the cron handler. */
  readonly runScheduled: (cron: string, time?: Date) => Promise<void>
  /** What the Worker printed, oldest first. */
  readonly printed: () => readonly PrintedLine[]
  /** Moves the time forward for the Worker and its Durable Objects, and runs the alarms that are due. */
  readonly advance: (by: Duration) => Promise<void>
  readonly close: () => Promise<void>
  /** The headers by which the Worker takes requests of this server's clients for those of a caller. */
  readonly toCallerHeaders: (caller: FakeCaller) => Readonly<Record<string, string>>
  /** Only for the compiler. */
  readonly '~types'?: Definitions
}

/** The headers between a test and the Worker that `startServer` bundled. Others do not know the key. */
export const controlHeaders = {
  key: 'Helve-Test-Key',
  caller: 'Helve-Test-Caller',
  advance: 'Helve-Test-Advance',
} as const
