/*
 * Notes what code changes outside of itself: writes to bindings, and requests that are not for reading.
 */

/** The methods of bindings that change something: KV, R2, queues, Analytics Engine, Workflows, Vectorize. */
const writing: ReadonlySet<string> = new Set([
  'put',
  'delete',
  'send',
  'sendBatch',
  'writeDataPoint',
  'create',
  'createBatch',
  'createMultipartUpload',
  'insert',
  'upsert',
  'deleteByIds',
])

const reading = /^\s*(?:select|explain|pragma|with)\b/i

/** Returns the same bindings, which note what is written through them. */
export function observeBindings(env: object, note: (write: string) => void): Cloudflare.Env {
  const observed = Object.entries(env).map(([name, binding]) => [
    name,
    typeof binding === 'object' && binding !== null ? observe(binding, name, note) : binding,
  ])
  return Object.fromEntries(observed)
}

function observe(binding: object, name: string, note: (write: string) => void): object {
  return new Proxy(binding, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return (...args: readonly unknown[]): unknown => {
        const [sql] = args
        const isStatement = (key === 'prepare' || key === 'exec') && typeof sql === 'string'
        if (writing.has(key)) note(`${name}.${key}`)
        else if (isStatement && !reading.test(sql)) note(`${name}.${key}: ${sql.trim()}`)
        // on the binding itself: native methods refuse a proxy
        return Reflect.apply(member, target, args)
      }
    },
  })
}

/** Runs work while requests of the global `fetch` that may change something are noted. */
export async function observeFetch<Value>(
  note: (write: string) => void,
  work: () => Promise<Value>,
): Promise<Value> {
  const real = globalThis.fetch
  globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { method, url } = new Request(input, init)
    if (method !== 'GET' && method !== 'HEAD') note(`fetch: ${method} ${url}`)
    return real(input, init)
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = real
  }
}
