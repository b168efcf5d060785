import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

// `npm run api` writes the reports after a change that is meant.

const root = join(import.meta.dirname, '../..')

/** The types of each entry point in one file, without comments, by the name of the report. */
export async function createApiReports(): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-api-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const project = join(root, 'src/tsconfig.package.json')
    const options = ['--emitDeclarationOnly', '--removeComments', '--outDir', folder]
    await promisify(execFile)(process.execPath, [compiler, '-p', project, ...options])
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const entries = Object.entries<{ readonly types?: string }>(exports)
    const reports = entries.map(async ([entry, { types }]) => {
      // the entry point for plain JSON Schema has only an effect
      if (types === undefined || entry === './json-schema') return []
      const name = `helve${entry.slice(1)}`.replaceAll('/', '-')
      return [[`${name}.d.ts`, await toReport(join(folder, types.replace('./dist', '')))] as const]
    })
    return new Map((await Promise.all(reports)).flat())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function toReport(types: string): Promise<string> {
  const bundle = await rolldown({
    input: types,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false })],
    external: [/^cloudflare:/],
  })
  const { output } = await bundle.generate({ format: 'es' })
  const code = output.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : [])).join('\n')
  const withoutPaths = code.replace(/^\/\/.*\n/gm, '')
  // a line for each export, so that a difference shows which
  return `${withoutPaths.replace(/^export \{ .*/m, (all) => all.replaceAll(/([{,]) /g, '$1\n  '))}\n`
}

export const apiFolder: string = join(import.meta.dirname, 'api')

if (import.meta.main) {
  await mkdir(apiFolder, { recursive: true })
  const reports = await createApiReports()
  await Promise.all([...reports].map(([name, text]) => writeFile(join(apiFolder, name), text)))
}
