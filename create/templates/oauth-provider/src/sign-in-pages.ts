import { AuthorizationError, type ConsentDescription } from '@cloudflare/workers-oauth-provider'

/**
 * Where users say who they are, and what a client may do for them. It believes any name: replace the field by your
 * own way to sign users in before you deploy.
 */
export const signInPages = {
  async fetch(request, env) {
    if (new URL(request.url).pathname !== '/authorize') {
      return new Response('There is no such page. MCP clients connect to /mcp.\n', { status: 404 })
    }
    try {
      return request.method === 'POST' ? await decide(request, env) : await ask(request, env)
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error
      // without an address that is known to be the client's, only the user is told
      if (error.redirectTo === undefined) return new Response(error.description, { status: 400 })
      return Response.redirect(error.redirectTo)
    }
  },
} satisfies ExportedHandler<Cloudflare.Env>

async function ask(request: Request, { OAUTH_PROVIDER: oauth }: Cloudflare.Env): Promise<Response> {
  const asked = await oauth.parseAuthRequest(request)
  const consent = await oauth.describeConsent(asked)
  const { handle, headers } = await oauth.beginConsent(asked)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(toConsentPage(consent, handle), { headers })
}

async function decide(
  request: Request,
  { OAUTH_PROVIDER: oauth }: Cloudflare.Env,
): Promise<Response> {
  const form = await request.formData()
  const handle = readField(form, 'handle')
  if (readField(form, 'decision') !== 'allow') {
    const { headers } = await oauth.denyConsent(request, handle)
    return new Response(null, { status: 302, headers })
  }
  const user = readField(form, 'user')
  if (!/^[a-z]{1,40}$/.test(user)) {
    return new Response('A name has 1 to 40 small letters. Go back and correct it.', {
      status: 400,
    })
  }
  // what was asked for comes from storage, because the form could have been changed
  const { request: asked, headers } = await oauth.approveConsent(request, handle)
  const { redirectTo } = await oauth.completeAuthorization({
    request: asked,
    userId: user,
    metadata: {},
    scope: asked.scope,
    // the `claims` of the caller
    props: { name: user },
  })
  headers.set('Location', redirectTo)
  return new Response(null, { status: 302, headers })
}

function readField(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** What the page says of the client comes from the client, who may lie: it is escaped. */
function toConsentPage(client: ConsentDescription, handle: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sign in</title>
<h1>Let ${escapeHtml(client.clientName)} use this server for you?</h1>
<p>Nobody has checked its name. Access goes to <strong>${escapeHtml(client.redirectHost)}</strong>.</p>
<form method="post">
  <input type="hidden" name="handle" value="${escapeHtml(handle)}">
  <p><label>Your name <input name="user" required pattern="[a-z]{1,40}"></label></p>
  <p><button name="decision" value="allow">Allow</button>
  <button name="decision" value="deny">Deny</button></p>
</form>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
