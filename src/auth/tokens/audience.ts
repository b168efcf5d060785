/**
 * Returns whether an `aud` claim includes one of the accepted audiences (RFC 7519, 4.1.3). URLs are
 * compared as URLs, so that `https://A.example` equals `https://a.example/` (basic/authorization,
 * "Canonical Server URI").
 */
export function includesAudience(aud: unknown, accepted: readonly string[]): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return audiences.some((audience) => {
    if (typeof audience !== 'string') return false
    return accepted.some((one) => one === audience || normalize(one) === normalize(audience))
  })
}

function normalize(audience: string): string {
  return URL.canParse(audience) ? new URL(audience).href : audience
}
