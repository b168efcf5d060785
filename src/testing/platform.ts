/** What a Worker has of the platform besides its requests. */
export interface Platform {
  readonly env: Cloudflare.Env
  /** `ctx.exports`: the classes and entrypoints of the Worker. */
  readonly exports: unknown
}

/**
 * Returns the bindings of the Worker that the tests run in, such as those of vitest with Cloudflare's
 * plugin; `null` where there is none, as in Node.
 */
export async function findPlatform(): Promise<Platform | null> {
  // Node has no such scheme, and a bundler for Node must not look for it
  const name = 'cloudflare:workers'
  try {
    const { env, exports } = await import(/* @vite-ignore */ name)
    return { env, exports }
  } catch {
    return null
  }
}
