import type { Fetch } from '../client/client.ts'
import type { Settings } from '../mcp/settings.ts'
import { serve } from '../serve/fetch.ts'
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

/**
 * Serves requests with the settings of a Worker, except for who calls and where the log goes: everything
 * else is what production runs.
 */
export function serveInProcess(
  settings: Settings,
  { caller, isQuiet, openPlatform }: InProcessOptions,
): InProcess {
  const lines: LogLine[] = []
  const own: Settings = {
    ...withCaller(settings, caller),
    openLog: (sanitizer) => new CapturedLog(sanitizer, lines, isQuiet),
  }
  const route = createRoute(own)
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
      const ctx = { exports, waitUntil, passThroughOnException: () => {}, props: {} }
      return serve(own, route, request, env, Object(ctx))
    },
  }
}
