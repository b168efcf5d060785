import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Starts a Chromium without a window.
 *
 * @throws {Error} that says how to get one, if there is none.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? places.find(existsSync)
  if (executablePath === undefined) {
    throw new Error(
      `No Chromium was found at ${places.join(', ')}. Install one (on Debian \`apt install chromium\`), or ` +
        'set the variable CHROMIUM to its path.',
    )
  }
  // tests run as root in containers, where the sandbox of Chromium cannot be set up
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
