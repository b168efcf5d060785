import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

// `node test/package/api-report.ts` writes the reports after a change that is meant.

const root = join(import.meta.dirname, '../..')

/** The types of each entry point in one file, without comments, by the name of the report. */
export async function createApiReports(): Promise<ReadonlyMap<string, string>> {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries<{ readonly types?: string }>(exports)
  const reports = entries.map(async ([entry, { types }]) => {
    // the entry point for plain JSON Schema has only an effect
    if (types === undefined || entry === './json-schema') return []
    const name = `helve${entry.slice(1)}`.replaceAll('/', '-')
    return [[`${name}.d.ts`, await toReport(join(root, types))] as const]
  })
  return new Map((await Promise.all(reports)).flat())
}

async function toReport(types: string): Promise<string> {
  const bundle = await rolldown({
    input: types,
    plugins: [dts({ dtsOnly: true, generator: 'oxc', tsconfig: false })],
    external: [/^cloudflare:/],
  })
  const { output } = await bundle.generate({ format: 'es' })
  const code = output.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : [])).join('\n')
  // what a comment says is not the interface; only comments start a line so
  return code.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^\/\/.*\n/gm, '')
}

export const apiFolder: string = join(import.meta.dirname, 'api')

if (import.meta.main) {
  await mkdir(apiFolder, { recursive: true })
  const reports = await createApiReports()
  await Promise.all([...reports].map(([name, text]) => writeFile(join(apiFolder, name), text)))
}
