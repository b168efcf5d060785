import { OAuthProvider } from '@cloudflare/workers-oauth-provider'
import { signInPages } from './sign-in-pages.ts'
import worker from './worker.ts'

// Cloudflare finds Durable Objects, and the entrypoint with the cache, by these names
export { Bridge, Handles, Hub, Listings } from './worker.ts'

export default {
  fetch(request, env, ctx) {
    return createProvider(new URL(request.url).origin).fetch(request, env, ctx)
  },
} satisfies ExportedHandler<Cloudflare.Env>

// made for each request, because its origin differs in `npm run dev`, in tests and in production
function createProvider(origin: string): OAuthProvider {
  return new OAuthProvider({
    apiRoute: '/mcp',
    apiHandler: worker,
    defaultHandler: signInPages,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/oauth/token',
    clientRegistrationEndpoint: '/oauth/register',
    scopesSupported: ['use'],
    requiredScopes: ['use'],
    resourceMetadata: { resource: `${origin}/mcp`, authorization_servers: [origin] },
  })
}
