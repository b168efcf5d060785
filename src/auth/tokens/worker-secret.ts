/**
 * Reads a secret of the Worker by its name. Called for each request, as there is no `env` at start.
 *
 * @throws {Error} if the secret is not set.
 */
export function readWorkerSecret(env: object, name: string): string {
  const secret: unknown = Reflect.get(env, name)
  if (typeof secret === 'string' && secret !== '') return secret
  throw new Error(`The secret ${name} is not set. Set it with \`wrangler secret put ${name}\`.`)
}
