import type { ConsentDescription } from '@cloudflare/workers-oauth-provider'

/** The names that users of this example may give themselves. */
export const userName = /^[a-z]{1,40}$/

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
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sign in</title>
<h1>Let ${escapeHtml(client.clientName)} use your notes?</h1>
<p>It asks for ${scopes.join(' and ')}. Nobody has checked its name.</p>
<p>Access goes to <strong>${escapeHtml(client.redirectHost)}</strong>.</p>
${warning}
<form method="post">
  <input type="hidden" name="handle" value="${escapeHtml(handle)}">
  <p><label>Your name <input name="user" value="ada" required pattern="[a-z]+"></label>
  There is no password: this is an example.</p>
  <p><button name="decision" value="allow">Allow</button>
  <button name="decision" value="deny">Deny</button></p>
</form>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
