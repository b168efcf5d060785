/** What the Workers of the bench have. */
declare namespace Cloudflare {
  interface Env {
    readonly LIMIT: RateLimit
  }
}
