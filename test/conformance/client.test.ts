import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// those of 2026-07-28 that are not about OAuth, which the client leaves to its caller
const scenarios = [
  'tools_call',
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
  'json-schema-2020-12-preservation',
]

const suite = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
)
const driver = join(import.meta.dirname, 'driven-client.ts')

test.each(scenarios)(
  'the official suite finds no fault with helve/client in %s',
  async (scenario) => {
    const command = `${process.execPath} ${driver}`
    const args = ['client', '--command', command, '--scenario', scenario]
    const run = promisify(execFile)
    const { stdout, stderr } = await run(process.execPath, [
      suite,
      ...args,
      '--spec-version',
      '2026-07-28',
    ])
    expect(`${stdout}${stderr}`).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
  },
)
