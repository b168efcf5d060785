import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs what Helve is measured beside, unless it is there as the lock has it. */
export function installPeers(): void {
  const cwd = import.meta.dirname
  const installed = join(cwd, 'node_modules/.package-lock.json')
  const lock = join(cwd, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.log('Installing what Helve is measured beside, into test/bench/peers.')
  execFileSync('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
