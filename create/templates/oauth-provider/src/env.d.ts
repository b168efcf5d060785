/** What the provider adds to `env`; `wrangler types` knows the rest. */
declare namespace Cloudflare {
  interface Env {
    readonly OAUTH_PROVIDER: import('@cloudflare/workers-oauth-provider').OAuthHelpers
  }
}
