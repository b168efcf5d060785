/**
 * Tells whether an `aud` claim names one of the accepted audiences (RFC 7519, 4.1.3). URLs that are
 * the same to a browser are the same here: `https://A.example` is `https://a.example/`
 * (basic/authorization, "Canonical Server URI").
 */
export function isForAudience(aud: unknown, accepted: readonly string[]): boolean {
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.some((audience) => {
    if (typeof audience !== 'string') return false
    return accepted.some((one) => one === audience || normalize(one) === normalize(audience))
  })
}

function normalize(audience: string): string {
  return URL.canParse(audience) ? new URL(audience).href : audience
}
