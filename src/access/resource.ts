/**
 * The URI that tokens for this server must name (RFC 8707, 2): what is configured, else the URL of
 * the endpoint on the host that was asked. Never a forwarded header: whoever could set one could
 * point clients at an authorization server of their own.
 *
 * A server at the root is named without the slash (basic/authorization, "Canonical Server URI").
 */
export function toResourceUri(
  configured: string | undefined,
  requestUrl: string,
  endpoint: string,
): string {
  if (configured !== undefined) return configured
  return new URL(requestUrl).origin + (endpoint === '/' ? '' : endpoint)
}
