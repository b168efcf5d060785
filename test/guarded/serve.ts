/*
 * Serves the fixture with `wrangler dev` on 127.0.0.1. PORT moves it, PERSIST names the folder that
 * keeps its state, and GUARDED_OPTIONAL=1 lets in who brings no token. Usage: npm run guarded
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { readSigningSecret } from './signing-secret.ts'

const { PORT = '8789', PERSIST, GUARDED_OPTIONAL = '', INIT_CWD = process.cwd() } = process.env
const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')
// npm moves into the repository first: a relative folder is meant from where it was called
const persist = PERSIST ? [`--persist-to=${resolve(INIT_CWD, PERSIST)}`] : []
const vars = [`ISSUER:http://127.0.0.1:${PORT}`, `GUARDED_OPTIONAL:${GUARDED_OPTIONAL}`]

// wrangler reads the file that this makes
await readSigningSecret()
const child = spawn(
  process.execPath,
  [wrangler, 'dev', `--port=${PORT}`, ...persist, ...vars.map((value) => `--var=${value}`)],
  {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', ...process.env },
  },
)
// not left to the terminal, which reaches whole groups: whoever ends this process alone ends both
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void child.kill(signal))
}
// nor to npm, which may be killed without a word: whoever holds the port then keeps the next one out
const parent = process.ppid
setInterval(() => process.ppid !== parent && child.kill(), 200).unref()
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
