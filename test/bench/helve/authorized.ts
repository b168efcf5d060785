import { createWorker, type Registry } from 'helve'
import { jwt } from 'helve/auth/jwt'
import { audience, issuer } from '../issuer-names.ts'

// the platform's rate limit runs elsewhere and bills no CPU: this is what the Worker itself does for it
const env = { LIMIT: { limit: () => Promise.resolve({ success: true }) } }

/** Helve with callers who bring JWTs, and with a rate limit. */
export function serve(registry: Registry) {
  const worker = createWorker({
    name: 'bench',
    version: '1',
    registry,
    audit: false,
    auth: jwt({ issuer, jwks: `${issuer}/jwks` }),
    resource: audience,
    limit: 'LIMIT',
  })
  return {
    ...worker,
    fetch: (request: Request, _: unknown, ctx: ExecutionContext) => worker.fetch(request, env, ctx),
  }
}
