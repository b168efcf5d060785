/*
 * Serves the fixture on 127.0.0.1:8789. PORT moves it, PERSIST names the folder that keeps its state,
 * and GUARDED_OPTIONAL=1 lets in who brings no token. Usage: npm run guarded
 */
import process from 'node:process'
import { serveFixture } from '../support/serve-fixture.ts'
import { readSigningSecret } from './signing-secret.ts'

const { PORT = '8789', GUARDED_OPTIONAL = '' } = process.env

// wrangler reads the file that this makes
await readSigningSecret()
await serveFixture(import.meta.dirname, PORT, [
  `ISSUER:http://127.0.0.1:${PORT}`,
  `GUARDED_OPTIONAL:${GUARDED_OPTIONAL}`,
])
