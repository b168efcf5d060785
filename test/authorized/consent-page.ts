import type { ConsentDescription } from '@cloudflare/workers-oauth-provider'

/** The names that users of this example may give themselves. */
export const userName = /^[a-z]{1,40}$/

/**
 * No scripts, and no frame of another site. There is no `form-action`: it would also forbid the redirect to
 * the client after the form was sent.
 */
export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const style = `
  :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif }
  body { max-width: 26rem; margin: 12vh auto; padding: 0 1.25rem; overflow-wrap: anywhere }
  h1 { font-size: 1.4rem; line-height: 1.25 }
  label, input { display: block; width: 100%; box-sizing: border-box }
  input, button { font: inherit; padding: 0.5rem 0.75rem; border-radius: 0.4rem; border: 1px solid GrayText }
  button { cursor: pointer; min-width: 6rem }
  button[value='allow'] { background: #1d4ed8; border-color: #1d4ed8; color: white }
  small { color: GrayText }
`

/**
 * Prints the page on which a user decides about a client. What it says of the client comes from the
 * client, who may lie: it is escaped, and the place that access goes to is named
 * (basic/authorization/security-considerations).
 */
export function toConsentPage(client: ConsentDescription, handle: string): string {
  const scopes = client.scope.map((scope) => `<code>${escapeHtml(scope)}</code>`)
  const warning = client.redirectIsLoopback
    ? '<p>That is a program on this computer. Go on only if you have just started it.</p>'
    : ''
  // a registered client chose its name; one with a document at its URL controls that domain
  const known =
    client.clientDomain === undefined
      ? 'Nobody has checked its name.'
      : `It is published at <strong>${escapeHtml(client.clientDomain)}</strong>.`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in</title>
<style>${style}</style>
<h1>Let ${escapeHtml(client.clientName)} use your notes?</h1>
<p>It asks for ${scopes.join(' and ')}. ${known}</p>
<p>Access goes to <strong>${escapeHtml(client.redirectHost)}</strong>.</p>
${warning}
<form method="post">
  <input type="hidden" name="handle" value="${escapeHtml(handle)}">
  <p><label>Your name <input name="user" value="ada" required pattern="[a-z]+" autocomplete="username"></label>
  <small>There is no password: this is an example.</small></p>
  <p><button name="decision" value="allow">Allow</button>
  <button name="decision" value="deny">Deny</button></p>
</form>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
