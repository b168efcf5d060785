declare namespace Cloudflare {
  interface Env {
    readonly REQUESTS: RateLimit
    readonly ADDITIONS: RateLimit
  }
}
