import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readModules } from '../support/doc-modules.ts'
import { startWranglerDev } from '../support/wrangler-dev.ts'
import { createInstalledProject } from './installed-project.ts'

const root = join(import.meta.dirname, '../..')

const worker = `import { createWorker } from 'helve'
import { registry } from '../.helve/registry.ts'

const worker = createWorker({ name: 'shop', version: '1.0.0', registry })

export const { Handles, Hub, Bridge, Listings } = worker
export default worker
`
const wranglerToml = `name = "shop"
main = "src/worker.ts"
compatibility_date = "2026-11-02"

[[migrations]]
tag = "v1"
new_sqlite_classes = ["Handles", "Hub", "Bridge"]

[build]
command = "npx helve build"
watch_dir = ["src", "tools"]
`

/** What differs from run to run: ids, and the lines into which Node breaks an object. */
function toComparable(printed: string): string {
  return printed
    .replaceAll(/bsk_[\w-]+/g, 'bsk_ID')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\{\s+/g, '{ ')
    .replaceAll(/,\s+/g, ', ')
    .replaceAll(/\s+\}/g, ' }')
    .trim()
}

test('the client of the tutorial prints what the page shows', async () => {
  const text = await readFile(join(root, 'docs/tutorial.md'), 'utf8')
  const modules = readModules({ path: 'docs/tutorial.md', text })
  const files = Object.fromEntries(modules.map((module) => [module.file, module.text]))
  expect(Object.keys(files)).toContain('buy.ts')
  const project = await createInstalledProject(
    { 'wrangler.toml': wranglerToml, 'src/worker.ts': worker, ...files },
    ['wrangler', 'zod', '@modelcontextprotocol/client'],
  )
  await project.run('helve', 'build')
  const server = await startWranglerDev({ cwd: project.folder })
  onTestFinished(() => server.stop())

  const [, shown = ''] = /^```\n(create_basket .*?)^```$/ms.exec(text) ?? []
  const { stdout } = await promisify(execFile)(process.execPath, ['buy.ts', `${server.url}/mcp`], {
    cwd: project.folder,
  })
  expect(toComparable(stdout)).toBe(toComparable(shown))
}, 120_000)
