import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { CliError, toErrorMessage } from './errors.ts'
import type { Project } from './project.ts'

/** The file in the folder of the registry, which is not committed. */
const fileName = 'local-issuer.json'

/**
 * Returns the private key that signs tokens for `wrangler dev`, as a JWK. It is made once for each project,
 * and never leaves the folder of the registry.
 *
 * @throws {CliError} if the file cannot be read or written.
 */
export async function loadLocalKey({ out }: Pick<Project, 'out'>): Promise<JsonObject> {
  const path = join(out, fileName)
  const known = await readKey(path)
  if (known !== null) return known
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' })
  const key = { kty, crv, x, y, d, alg: 'ES256', use: 'sig', kid: `local-${x?.slice(0, 8)}` }
  try {
    await mkdir(out, { recursive: true })
    // 'wx': of two commands that start at once, the second takes the key of the first
    await writeFile(path, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    const written = await readKey(path)
    if (written !== null) return written
    throw new CliError(`The key for local tokens cannot be written: ${toErrorMessage(error)}`)
  }
}

/** Returns the public part of the key, as a key set. */
export function toLocalJwks(key: JsonObject): JsonObject {
  const { d: _, ...published } = key
  return { keys: [published] }
}

async function readKey(path: string): Promise<JsonObject | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const key: unknown = JSON.parse(text)
    if (isJsonObject(key) && isUsable(key)) return key
  } catch {
    // told below
  }
  throw new CliError(
    `${path} is not a key for local tokens. Delete it: the next build makes another.`,
  )
}

function isUsable(key: JsonObject): boolean {
  return createPublicKey(createPrivateKey({ key, format: 'jwk' })).asymmetricKeyType === 'ec'
}
