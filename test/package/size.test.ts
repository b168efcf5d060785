import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createInstalledProject } from './installed-project.ts'

// KiB, minified and compressed, with all that the entry point exports
const limits: Readonly<Record<string, number>> = {
  helve: 86,
  'helve/auth/api-keys': 2.7,
  'helve/auth/cloudflare-access': 9.5,
  'helve/auth/custom': 1.3,
  'helve/auth/introspection': 3.2,
  'helve/auth/jwt': 10,
  'helve/auth/oauth-provider': 1.4,
  'helve/auth/optional-auth': 0.2,
  'helve/client': 8,
  'helve/json-schema': 10.5,
  'helve/testing': 84,
  'helve/testing/node': 4,
  'helve/testing/workers-cache': 4.4,
}

test('each entry point is as small as it was', async () => {
  const { folder } = await createInstalledProject({}, [])
  const sizes = Object.keys(limits).map(
    async (entry) => [entry, await measure(entry, folder)] as const,
  )
  const above = (await Promise.all(sizes)).filter(([entry, size]) => size > (limits[entry] ?? 0))
  expect(above, 'KiB; what made it larger, and is it worth it?').toEqual([])
})

async function measure(entry: string, resolveDir: string): Promise<number> {
  const { outputFiles } = await build({
    // the second import keeps an entry point that only has an effect
    stdin: { contents: `export * from '${entry}'; import '${entry}'`, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  })
  const contents = outputFiles.map(({ contents }) => Buffer.from(contents))
  return gzipSync(Buffer.concat(contents), { level: 9 }).byteLength / 1024
}
