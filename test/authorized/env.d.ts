/** The bindings of this Worker: one as its wrangler.toml has it, one that the provider adds. */
declare namespace Cloudflare {
  interface Env {
    readonly OAUTH_KV: KVNamespace
    readonly OAUTH_PROVIDER: import('@cloudflare/workers-oauth-provider').OAuthHelpers
  }
}
