import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Bindings } from '../define/registry.ts'
import type { Refusal } from './evaluated.ts'
import { type LiteralOptions, readLiteralOptions } from './literal-options.ts'
import { findHidden } from './hidden.ts'
import { type Sources, toRelative } from './project.ts'
import { toReplacement } from './bundle.ts'
import { findRequestLimitProblem } from '../options.ts'
import { loadEsbuild } from './wrangler-packages.ts'

/** The problems of the Worker's main module, which the build reads but does not evaluate. */
export interface MainModuleProblems {
  /**
   * The Worker cannot start without a class whose storage wrangler.toml declares, or with a `limit`
   * that names no binding.
   */
  readonly refusals: readonly Refusal[]
  /** Other classes that it should export. */
  readonly unexported: readonly string[]
  readonly renamed: readonly string[]
  /** False only if it certainly calls createWorker without `auth`. */
  readonly hasAuth: boolean
  /** False only if it certainly calls createWorker with `legacy: false`. */
  readonly servesLegacy: boolean
  /** Where its text has hidden characters, such as in the instructions of the server. */
  readonly hidden: readonly string[]
}

/** The platform finds classes by these names: without them the first request that needs one fails. */
export const requiredExports: readonly string[] = ['Handles', 'Hub', 'Bridge', 'Listings']

const noProblems: MainModuleProblems = {
  refusals: [],
  unexported: [],
  renamed: [],
  hasAuth: true,
  servesLegacy: true,
  hidden: [],
}

/** Finds problems of the main module; none if wrangler.toml names no module or it does not parse. */
export async function findMainProblems({
  project,
  config,
}: Pick<Sources, 'project' | 'config'>): Promise<MainModuleProblems> {
  if (config.main === null) return noProblems
  const path = resolve(dirname(project.config), config.main)
  const { text, exports, imports, options } = await readMainModule(project.root, path)
  const missing = requiredExports.filter((name) => exports !== null && !exports.includes(name))
  const declared = missing.filter((name) => config.declaredClasses.includes(name))
  const why =
    `It does not export ${declared.join(' and ')}, but ${basename(project.config)} declares the storage of ` +
    `${declared.length > 1 ? 'these classes' : 'this class'} in [[migrations]], so the Worker cannot start. ` +
    `Add \`export const { ${missing.join(', ')} } = worker\`.`
  const limits = options.flatMap(({ sources }) =>
    toLimitProblems(sources.get('limit'), config.bindings),
  )
  const files = [toRelative(project.root, path)]
  return {
    refusals: [
      ...(declared.length === 0 ? [] : [{ files, why, code: 'missing-export' as const }]),
      ...limits.map((each) => ({ files, why: each })),
    ],
    unexported: missing.filter((name) => !declared.includes(name)),
    renamed: imports.flatMap((specifier) => {
      const replacement = toReplacement(specifier)
      return replacement === null
        ? []
        : `${config.main} imports '${specifier}', which was renamed: ${replacement}`
    }),
    // what is not an object literal, or has a spread, may have it
    hasAuth:
      options.length === 0 ||
      options.some(({ sources, isOpen }) => isOpen || hasValue(sources.get('auth'))),
    servesLegacy:
      options.length === 0 || options.some(({ sources }) => sources.get('legacy') !== 'false'),
    hidden: findHiddenLines(text).map(
      ({ line, names }) =>
        `${config.main}:${line} has hidden characters, which people do not see and models obey: ` +
        `${names.join(', ')}. Remove them, or write them as escapes such as \\u200B.`,
    ),
  }
}

/** Whether an option is there, of which esbuild prints `undefined` as `void 0`. */
function hasValue(source: string | undefined): boolean {
  return source !== undefined && !['undefined', 'void 0', 'null'].includes(source)
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

/** What its code says without being run. */
export interface MainModule {
  /** Empty if it cannot be read. */
  readonly text: string
  /** `null` if they are not known, such as those of `export *`. */
  readonly exports: readonly string[] | null
  readonly imports: readonly string[]
  readonly options: readonly LiteralOptions[]
}

/** Reads the main module as far as it can be read without being run. */
export async function readMainModule(root: string, path: string): Promise<MainModule> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const reexports = /^\s*export\s*\*/m.test(text)
    const { metafile, outputFiles } = await loadEsbuild(root).build({
      entryPoints: [path],
      write: false,
      metafile: true,
      format: 'esm',
      outdir: '.',
      // else comments between options stay, and hide the option after them
      minifyWhitespace: true,
      logLevel: 'silent',
    })
    const outputs = Object.values(metafile.outputs)
    return {
      text,
      exports: reexports ? null : outputs.flatMap((output) => output.exports),
      imports: outputs.flatMap((output) => output.imports.map((each) => each.path)),
      options: outputFiles.flatMap(({ text }) => readLiteralOptions(text)),
    }
  } catch {
    // wrangler reports what is wrong with the module
    return { text, exports: null, imports: [], options: [] }
  }
}

/** Checks a `limit` that is written as a value. What a name stands for is checked when the Worker starts. */
function toLimitProblems(source: string | undefined, bindings: Bindings): readonly string[] {
  try {
    const limit: unknown = JSON.parse(source ?? '')
    return [findRequestLimitProblem(limit, bindings)].filter((problem) => problem !== null)
  } catch {
    return []
  }
}
