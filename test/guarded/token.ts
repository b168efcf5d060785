/*
 * Prints a token for the fixture on 127.0.0.1; PORT says where it is served, if not on 8789.
 * Usage: npm run -s guarded:token -- SUBJECT "SCOPES" [SECONDS]
 */
import process from 'node:process'
import { mintToken } from './mint.ts'
import { readSigningSecret } from './signing-secret.ts'

const [subject = '', scopes = '', lifetime = '3600'] = process.argv.slice(2)
const seconds = Number(lifetime)
if (subject === '' || !Number.isInteger(seconds)) {
  console.error(
    'Nothing was printed: a token needs a subject, and a whole number of seconds if any. ' +
      'Call it as: npm run -s guarded:token -- ada "a b" 600',
  )
  process.exitCode = 1
} else {
  const origin = `http://127.0.0.1:${process.env['PORT'] ?? '8789'}`
  console.log(await mintToken(await readSigningSecret(), origin, { subject, scopes, seconds }))
}
