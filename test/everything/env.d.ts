/** The bindings of this Worker, as its wrangler.toml has them. */
declare namespace Cloudflare {
  interface Env {
    readonly TILL: DurableObjectNamespace<import('./till.ts').Till>
    readonly HUB: DurableObjectNamespace<import('./worker.ts').Hub>
  }
}
