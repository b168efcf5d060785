import { commonConfig, objectsConfig, serveServices } from './workerd.ts'

/** The conformance fixture in two isolates of one process, with the same Durable Objects. */
export interface TwoIsolates {
  /** The MCP endpoint of each. */
  readonly endpoints: Readonly<Record<Side, string>>
  /** What workerd printed: whatever the Worker logged or threw. */
  readonly printed: () => string
  stop(): Promise<void>
}

export type Side = 'a' | 'b'

/** The header of each response that names the isolate it comes from. */
export const isolateHeader = 'Test-Isolate'

/** One namespace for each class of Durable Objects. */
const classes = ['Handles', 'Hub', 'Bridge'] as const

/**
 * Serves the fixture as an edge does: two isolates that share no memory, and one set of objects.
 * `a` defines the objects. `b` runs the same code with the namespaces of `a` as its `ctx.exports`.
 */
export async function startTwoIsolates(): Promise<TwoIsolates> {
  const shared = classes.map((name) => `${name}: toNamespace(env.SHARED_${name})`).join(', ')
  const files = {
    'a.js': toEntry('ctx.exports'),
    'b.js': toEntry(`{ ${shared}, Listings: ctx.exports.Listings }`),
  }
  const { urls, stop, printed } = await serveServices({
    services: `${toService('a', objectsConfig)},
    ${toService('b', 'durableObjectNamespaces = []')}`,
    served: ['a', 'b'],
    files,
  })
  const { a, b } = urls
  return { endpoints: { a: `${a}/mcp`, b: `${b}/mcp` }, printed, stop }
}

/** A module that serves the fixture with other `exports`, and says in which isolate it did. */
function toEntry(exports: string): string {
  return `import worker from './worker.js'
export * from './worker.js'
let isolate
export default {
  async fetch(request, env, ctx) {
    isolate ??= crypto.randomUUID()
    const { status, headers, body } = await worker.fetch(request, env, {
      props: ctx.props,
      waitUntil: (work) => ctx.waitUntil(work),
      exports: ${exports},
    })
    const named = new Headers(headers)
    named.set('${isolateHeader}', isolate)
    return new Response(body, { status, headers: named })
  },
}
// a namespace of ctx.exports is a function, while a binding is an object
function toNamespace(binding) {
  const methods = ['newUniqueId', 'idFromName', 'idFromString', 'get', 'getByName', 'jurisdiction']
  return Object.assign(
    () => {},
    Object.fromEntries(methods.map((name) => [name, (...args) => binding[name](...args)])),
  )
}
`
}

function toService(side: Side, objects: string): string {
  const bind = (binding: string, className: string): string =>
    `(name = "${binding}", durableObjectNamespace = (className = "${className}", serviceName = "a"))`
  const bindings = [
    bind('TILL', 'Till'),
    bind('HUB', 'Hub'),
    ...classes.map((name) => bind(`SHARED_${name}`, name)),
    `(name = "STATE_KEY", text = "${'k'.repeat(43)}=")`,
  ]
  return `(name = "${side}", worker = (
      modules = [
        (name = "${side}.js", esModule = embed "${side}.js"),
        (name = "worker.js", esModule = embed "worker.js"),
      ],
      ${commonConfig},
      ${objects},
      bindings = [${bindings.join(', ')}],
    ))`
}
