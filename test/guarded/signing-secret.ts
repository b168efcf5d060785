import { generateKeyPairSync } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// git ignores it, and wrangler reads the Worker's secrets from it
const file = join(import.meta.dirname, '.dev.vars')

/** Gives the secret of the Worker that signs tokens, and makes it the first time. */
export async function readSigningSecret(): Promise<string> {
  return (await findSecret()) ?? makeSecret()
}

async function findSecret(): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [, secret = null] = /^SIGNING_KEY="(.+)"$/m.exec(text) ?? []
  return secret
}

async function makeSecret(): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `SIGNING_KEY="${secret}"\n`, { mode: 0o600 })
  // of several that come at once the first one stays, and none of them reads half a file
  const isFirst = await link(draft, file).then(
    () => true,
    () => false,
  )
  await rm(draft)
  return isFirst ? secret : ((await findSecret()) ?? secret)
}
