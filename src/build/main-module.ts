import * as esbuild from 'esbuild'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Refusal } from './evaluated.ts'
import { findHidden } from './hidden.ts'
import { type Sources, toRelative } from './project.ts'
import { toReplacement } from './bundle.ts'

/** The problems of the Worker's main module, which the build reads but does not evaluate. */
export interface MainModuleProblems {
  /** Without a class whose storage wrangler.toml declares, the Worker cannot start. */
  readonly refusals: readonly Refusal[]
  /** Other classes that it should export. */
  readonly unexported: readonly string[]
  readonly renamed: readonly string[]
  /** Where its text has hidden characters, such as in the instructions of the server. */
  readonly hidden: readonly string[]
}

/** The platform finds classes by these names: without them the first request that needs one fails. */
const requiredExports = ['Handles', 'Hub', 'Listings']

/** Finds problems of the main module; none if wrangler.toml names no module or it does not parse. */
export async function findMainProblems({
  project,
  config,
}: Pick<Sources, 'project' | 'config'>): Promise<MainModuleProblems> {
  if (config.main === null) return { refusals: [], unexported: [], renamed: [], hidden: [] }
  const path = resolve(dirname(project.config), config.main)
  const { text, exports, imports } = await readModule(path)
  const missing = requiredExports.filter((name) => exports !== null && !exports.includes(name))
  const declared = missing.filter((name) => config.declaredClasses.includes(name))
  const why =
    `It does not export ${declared.join(' and ')}, but wrangler.toml declares the storage of ` +
    `${declared.length > 1 ? 'both' : 'this class'} in [[migrations]], so the Worker cannot start. ` +
    `Add \`export const { ${missing.join(', ')} } = worker\`.`
  return {
    refusals: declared.length === 0 ? [] : [{ files: [toRelative(project.root, path)], why }],
    unexported: missing.filter((name) => !declared.includes(name)),
    renamed: imports.flatMap((specifier) => {
      const replacement = toReplacement(specifier)
      return replacement === null
        ? []
        : `${config.main} imports '${specifier}', which was renamed: ${replacement}`
    }),
    hidden: findHiddenLines(text).map(
      ({ line, names }) =>
        `${config.main}:${line} has hidden characters, which people do not see and models obey: ` +
        `${names.join(', ')}. Remove them, or write them as escapes such as \\u200B.`,
    ),
  }
}

interface HiddenLine {
  readonly line: number
  readonly names: readonly string[]
}

function findHiddenLines(text: string): readonly HiddenLine[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const found = lines.map((line, index) => ({ line: index + 1, names: findHidden(line) }))
  return found.filter(({ names }) => names.length > 0)
}

interface ReadModule {
  /** Empty if it cannot be read. */
  readonly text: string
  /** `null` if they are not known, such as those of `export *`. */
  readonly exports: readonly string[] | null
  readonly imports: readonly string[]
}

async function readModule(path: string): Promise<ReadModule> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const reexports = /^\s*export\s*\*/m.test(text)
    const { metafile } = await esbuild.build({
      entryPoints: [path],
      write: false,
      metafile: true,
      format: 'esm',
      outdir: '.',
      logLevel: 'silent',
    })
    const outputs = Object.values(metafile.outputs)
    return {
      text,
      exports: reexports ? null : outputs.flatMap((output) => output.exports),
      imports: outputs.flatMap((output) => output.imports.map((each) => each.path)),
    }
  } catch {
    // wrangler reports what is wrong with the module
    return { text, exports: null, imports: [] }
  }
}
