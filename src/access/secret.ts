/**
 * Reads a secret of the Worker by its name, at the request: at start there is no `env`.
 *
 * @throws {Error} that says what to do, when there is no such secret.
 */
export function readSecret(env: object, name: string): string {
  const secret: unknown = Reflect.get(env, name)
  if (typeof secret === 'string' && secret !== '') return secret
  throw new Error(`The secret ${name} is not set. Set it with \`wrangler secret put ${name}\`.`)
}
