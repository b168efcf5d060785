import { AuthorizationError, CimdFetchError } from '@cloudflare/workers-oauth-provider'
import { pagePolicy, toConsentPage, userName } from './consent-page.ts'

/**
 * Where users say who they are and what a client may do for them. Anybody is believed: there is no
 * password, because this is an example. A real server signs its users in before it asks them.
 */
export const signInPages = {
  async fetch(request, env) {
    if (new URL(request.url).pathname !== '/authorize') {
      return new Response('There is no such page. MCP clients connect to /mcp.\n', { status: 404 })
    }
    try {
      return request.method === 'POST' ? await decide(request, env) : await ask(request, env)
    } catch (error) {
      if (error instanceof CimdFetchError) {
        const text = 'The document of the client at its URL cannot be used. Tell its developers.\n'
        return new Response(text, { status: 400 })
      }
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
  headers.set('Content-Security-Policy', pagePolicy)
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
  if (!userName.test(user)) {
    return new Response('A name is of small letters. Go back and give another.', { status: 400 })
  }
  // what was asked for comes from storage, as the form could have been changed
  const { request: asked, headers } = await oauth.approveConsent(request, handle)
  const { redirectTo } = await oauth.completeAuthorization({
    request: asked,
    userId: user,
    metadata: {},
    scope: asked.scope,
    // the caller's `claims`
    props: { name: user },
  })
  headers.set('Location', redirectTo)
  return new Response(null, { status: 302, headers })
}

function readField(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
