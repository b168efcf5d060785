/** As many characters as `openssl rand -base64 24` prints: 192 bits. */
const minCharacters = 32

/**
 * Reads the secret `STATE_KEY`: one secret, or several with commas between them. The first one
 * seals; all of them open, so that a new key can be put in front while the old one ends its days.
 *
 * @throws {RangeError} for a secret of fewer than 32 characters.
 */
export function readSecrets(text: string): readonly string[] {
  const secrets = text.split(',').map((secret) => secret.trim())
  const short = secrets.find(({ length }) => length < minCharacters)
  if (short === undefined) return secrets
  // the length is all that a log may know of it
  throw new RangeError(
    `STATE_KEY has a secret of ${short.length} characters, which could be guessed; ` +
      `it needs at least ${minCharacters}. Make one with \`openssl rand -base64 32\` ` +
      'and store it with `wrangler secret put STATE_KEY`.',
  )
}
