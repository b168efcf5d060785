import type { Fetch } from '../client/client.ts'
import type { Settings } from '../mcp/settings.ts'
import { substitute } from '../serve/fetch.ts'
import { createRoute } from '../serve/routes.ts'
import { CapturedLog, type LogLine } from './captured-log.ts'
import { type FakeCaller, withCaller } from './fake-caller.ts'
import type { Platform } from './platform.ts'

export interface InProcessOptions {
  readonly caller: FakeCaller | null | undefined
  /** Whether the log is kept only, and not printed. */
  readonly isQuiet: boolean
  readonly openPlatform: () => Promise<Platform>
}

/** A Worker that is called without HTTP. */
export interface InProcess {
  readonly fetch: Fetch
  /** The lines of its log, oldest first. */
  readonly lines: readonly LogLine[]
  /** Resolves when all that continues after a response has ended. */
  readonly settled: () => Promise<void>
}

/** The `fetch` of a Worker, or of an object around it that passes `ctx` on. */
type FetchOfWorker = (
  request: Request,
  env: Cloudflare.Env,
  ctx: ExecutionContext,
) => Response | Promise<Response>

/**
 * Sends requests to the `fetch` of a Worker with these settings, except for who calls and where the log goes:
 * everything else is what production runs.
 */
export function serveInProcess(
  fetch: FetchOfWorker,
  settings: Settings,
  { caller, isQuiet, openPlatform }: InProcessOptions,
): InProcess {
  const lines: LogLine[] = []
  const own: Settings = {
    ...withCaller(settings, caller),
    openLog: (sanitizer) => new CapturedLog(sanitizer, lines, isQuiet),
  }
  const served = { settings: own, route: createRoute(own) }
  const background = new Set<Promise<unknown>>()
  const settled = async (): Promise<void> => {
    if (background.size === 0) return
    await Promise.all(background)
    return settled()
  }
  const waitUntil = (work: Promise<unknown>): void => {
    const ended = work.catch(() => {}).finally(() => background.delete(ended))
    background.add(ended)
  }
  return {
    lines,
    settled,
    async fetch(request) {
      const { env, exports } = await openPlatform()
      const ctx = Object({ exports, waitUntil, passThroughOnException: () => {}, props: {} })
      substitute(ctx, served)
      return fetch(request, env, ctx)
    },
  }
}
