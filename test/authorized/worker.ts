import { OAuthProvider } from '@cloudflare/workers-oauth-provider'
import { createWorker } from 'helve'
import { oauthProvider } from 'helve/auth/oauth-provider'
import { registry } from './.helve/registry.ts'
import { signInPages } from './sign-in-pages.ts'

const worker = createWorker({
  name: 'helve-authorized',
  version: '1.0.0',
  instructions: 'Notes of the user who signed in. Nobody else sees them.',
  registry,
  auth: oauthProvider(),
})

export const { Handles, Hub, Bridge, Listings } = worker

export default {
  fetch(request, env, ctx) {
    return createProvider(new URL(request.url).origin).fetch(request, env, ctx)
  },
} satisfies ExportedHandler<Cloudflare.Env>

// made for each request because PORT moves this example: with one host name it is made once, and is
// the default export itself
function createProvider(origin: string): OAuthProvider {
  return new OAuthProvider({
    apiRoute: '/mcp',
    apiHandler: worker,
    defaultHandler: signInPages,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/oauth/token',
    // clients are known by a document at their own URL, or register themselves
    clientIdMetadataDocumentEnabled: true,
    clientRegistrationEndpoint: '/oauth/register',
    scopesSupported: ['notes:read', 'notes:write'],
    resourceMetadata: { resource: `${origin}/mcp`, authorization_servers: [origin] },
    // what a first sign-in asks for; Helve answers with 403 and the scopes when a tool needs more
    requiredScopes: ['notes:read'],
  })
}
