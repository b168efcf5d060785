/*
 * What a Worker with one tool weighs, minified, and which packages that is. Usage: npm run bench:size
 */
import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { bundle } from './bundle.ts'
import { buildProject } from './helve/project.ts'
import { toPeerMain } from './mains.ts'
import { installPeers } from './peers/install.ts'
import { printTable } from './statistics.ts'

const hello = `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Says hello.',
  input: z.object({ who: z.string() }),
  run: ({ input }) => \`Hello, \${input.who}\`,
})
`

function toMain(name: string, tools: Readonly<Record<string, string>>): string {
  return `import { createWorker } from 'helve'
import { registry } from ${JSON.stringify(buildProject(name, tools))}

const worker = createWorker({ name: 'hello', version: '1.0.0', registry })

export const { Handles, Hub, Bridge, Listings } = worker
export default { fetch: worker.fetch }
`
}

const toKib = (bytes: number): string => (bytes / 1024).toFixed(1)
const gzip = (text: string): number => gzipSync(text, { level: 9 }).length

/** Minified bytes of each package in a bundle. */
function toPackages({ outputs }: Metafile): ReadonlyMap<string, number> {
  const packages = new Map<string, number>()
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const inModules = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
      const name = inModules ?? (path.includes('test/bench/') ? 'the project' : 'helve')
      packages.set(name, (packages.get(name) ?? 0) + bytesInOutput)
    }
  }
  return packages
}

async function measure(name: string, main: string): Promise<readonly string[]> {
  const [whole, withoutZod] = await Promise.all([
    bundle(main, { minify: true }),
    bundle(main, { minify: true, external: ['zod', 'zod/*'] }),
  ])
  const [all, rest] = [gzip(whole.code), gzip(withoutZod.code)]
  return [name, toKib(Buffer.byteLength(whole.code)), toKib(all), toKib(all - rest), toKib(rest)]
}

installPeers()
const main = toMain('hello', { hello })
printTable([
  ['KiB, minified', 'plain', 'gzip', 'of it zod', 'and the rest'],
  await measure('helve, one tool', main),
  await measure('helve, no tools', toMain('empty', {})),
  await measure('sdk, one tool', toPeerMain('sdk', 1, false)),
  await measure('agents, one tool', toPeerMain('agents', 1, false)),
  await measure('mcp-lite, one tool', toPeerMain('mcp-lite', 1, false)),
])
const { metafile } = await bundle(main, { minify: true })
console.log('\nhelve, one tool, minified KiB before gzip, by package:')
const packages = [...toPackages(metafile)].toSorted(([, a], [, b]) => b - a)
printTable(packages.map(([name, bytes]) => [name, toKib(bytes)]))
console.log('\nThe rest is the bundle with zod left out; zod is what it adds to that.')
