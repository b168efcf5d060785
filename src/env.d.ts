/** The bindings of this repository's own Worker, as wrangler.toml has them. */
declare namespace Cloudflare {
  interface Env {
    /** Where forecasts come from: an HTTP API in Open-Meteo's format, without a closing slash. */
    readonly WEATHER_API: string
    /** Where places are looked up: Open-Meteo's geocoding API. */
    readonly GEOCODING_API: string
    /** Feature flags: a key for each flag, and `on` or `off`. */
    readonly FLAGS: KVNamespace
  }
}
