import { env } from 'cloudflare:workers'
import { createWorker } from 'helve'
import { introspection } from 'helve/auth/introspection'
import { jwt } from 'helve/auth/jwt'
import { optionalAuth } from 'helve/auth/optional-auth'
import { registry } from './.helve/registry.ts'
import { toPublicKey } from './signing-key.ts'

const jwks = `${env.ISSUER}/jwks`
const scopes = { admin: ['a', 'b'] }
const auth =
  env.INTROSPECTION === ''
    ? jwt({ issuer: env.ISSUER, jwks, scopes })
    : introspection({
        endpoint: env.INTROSPECTION,
        client: { id: 'guarded', secret: 'SIGNING_KEY' },
        scopes,
      })

const worker = createWorker({
  name: 'helve-guarded',
  version: '1.0.0',
  instructions: 'Things for tests: the name of each says which scopes it needs.',
  registry,
  auth: env.GUARDED_OPTIONAL === '1' ? optionalAuth(auth) : auth,
})

export const { Handles, Hub, Bridge, Listings } = worker

export default {
  async fetch(request, env, ctx) {
    if (request.url !== jwks) return worker.fetch(request, env, ctx)
    return Response.json({ keys: [await toPublicKey(env.SIGNING_KEY)] })
  },
} satisfies ExportedHandler<Cloudflare.Env>
