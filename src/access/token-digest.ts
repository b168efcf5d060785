const encoder = new TextEncoder()

/** The SHA-256 of a token, so that what is kept or looked up by it is worth nothing to a thief. */
export async function toTokenDigest(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(token)))
}
