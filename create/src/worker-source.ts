import type { AuthKind, Template } from './choices.ts'

export interface WorkerSourceOptions {
  readonly name: string
  readonly template: Template
  readonly auth: AuthKind
}

interface AuthSource {
  readonly imports: readonly string[]
  /** The option `auth`, with its comment. */
  readonly option: string
}

const sources: Readonly<Record<AuthKind, AuthSource>> = {
  none: { imports: [], option: '' },
  jwt: {
    imports: ["import { jwt } from 'helve/auth/jwt'"],
    option: `  auth: jwt({ issuer: env.ISSUER }),\n`,
  },
  'api-keys': {
    imports: ["import { apiKeys } from 'helve/auth/api-keys'"],
    option: `  auth: apiKeys({ keys: 'API_KEYS' }),\n`,
  },
  'oauth-provider': {
    imports: ["import { oauthProvider } from 'helve/auth/oauth-provider'"],
    option: `  auth: oauthProvider(),\n`,
  },
}

const instructions: Readonly<Record<Template, string>> = {
  blank: 'Tells a model when and how to use this server.',
  shop: 'A small kitchen shop. Search the catalog, create a basket, add products, and check out.',
}

/** Prints src/worker.ts. */
export function toWorkerSource({ name, template, auth }: WorkerSourceOptions): string {
  const { imports, option } = sources[auth]
  const packages = [
    ...(auth === 'jwt' ? ["import { env } from 'cloudflare:workers'"] : []),
    "import { createWorker } from 'helve'",
    ...imports,
    "import { registry } from '../.helve/registry.ts'",
  ]
  return `${packages.join('\n')}

const worker = createWorker({
  name: '${name}',
  version: '0.1.0',
  instructions: '${instructions[template]}',
  registry,
  // the rate limit in the configuration of wrangler: servers must limit how often tools are called
  limit: 'CALLS',
${option}})

// Cloudflare finds Durable Objects, and the entrypoint with the cache, by these names
export const { Handles, Hub, Bridge, Listings } = worker

export default worker
`
}
