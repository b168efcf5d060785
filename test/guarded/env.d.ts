/** The bindings of this Worker, as its wrangler.toml and its .dev.vars have them. */
declare namespace Cloudflare {
  interface Env {
    readonly ISSUER: string
    readonly GUARDED_OPTIONAL: string
    readonly INTROSPECTION: string
    /** The private key that signs tokens, as PKCS #8 in Base64. */
    readonly SIGNING_KEY: string
  }
}
