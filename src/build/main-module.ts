import * as esbuild from 'esbuild'
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Refusal } from './evaluated.ts'
import { type Sources, toRelative } from './project.ts'
import { toReplacement } from './bundle.ts'
import { findRequestLimitProblem } from '../options.ts'

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
}

/** The platform finds classes by these names: without them the first request that needs one fails. */
const requiredExports = ['Handles', 'Hub', 'Listings']

/** Finds problems of the main module; none if wrangler.toml names no module or it does not parse. */
export async function findMainProblems({ project, config }: Sources): Promise<MainModuleProblems> {
  if (config.main === null) return { refusals: [], unexported: [], renamed: [] }
  const path = resolve(dirname(project.config), config.main)
  const { exports, imports, limits } = await readModule(path)
  const missing = requiredExports.filter((name) => exports !== null && !exports.includes(name))
  const declared = missing.filter((name) => config.declaredClasses.includes(name))
  const why =
    `It does not export ${declared.join(' and ')}, but ${basename(project.config)} declares the storage of ` +
    `${declared.length > 1 ? 'both' : 'this class'} in [[migrations]], so the Worker cannot start. ` +
    `Add \`export const { ${missing.join(', ')} } = worker\`.`
  const whys = [
    ...(declared.length === 0 ? [] : [why]),
    ...limits.flatMap((limit) => findRequestLimitProblem(limit, config.bindings) ?? []),
  ]
  return {
    refusals: whys.map((each) => ({ files: [toRelative(project.root, path)], why: each })),
    unexported: missing.filter((name) => !declared.includes(name)),
    renamed: imports.flatMap((specifier) => {
      const replacement = toReplacement(specifier)
      return replacement === null
        ? []
        : `${config.main} imports '${specifier}', which was renamed: ${replacement}`
    }),
  }
}

interface ReadModule {
  /** `null` if they are not known, such as those of `export *`. */
  readonly exports: readonly string[] | null
  readonly imports: readonly string[]
  /** The values that it writes for `limit` of createWorker. */
  readonly limits: readonly unknown[]
}

async function readModule(path: string): Promise<ReadModule> {
  try {
    const reexports = /^\s*export\s*\*/m.test(await readFile(path, 'utf8'))
    const { metafile, outputFiles } = await esbuild.build({
      entryPoints: [path],
      write: false,
      metafile: true,
      format: 'esm',
      outdir: '.',
      logLevel: 'silent',
    })
    const outputs = Object.values(metafile.outputs)
    return {
      exports: reexports ? null : outputs.flatMap((output) => output.exports),
      imports: outputs.flatMap((output) => output.imports.map((each) => each.path)),
      limits: outputFiles.flatMap(({ text }) => readRequestLimits(text)),
    }
  } catch {
    // wrangler reports what is wrong with the module
    return { exports: null, imports: [], limits: [] }
  }
}

/** A string, or a part of code that opens or closes a bracket, or a member `limit` with its value. */
const token =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}()[\]]|(?<![\w$.])limit: ("(?:[^"\\]|\\.)*"|[\w.-]+)/g

/**
 * Reads the `limit` of each `createWorker({ ... })` in code that esbuild has printed. Only a literal is
 * returned: what a name stands for is known when the Worker starts, which checks it too.
 */
function readRequestLimits(code: string): readonly unknown[] {
  return code
    .split(/\bcreateWorker\((?=\{)/)
    .slice(1)
    .flatMap((call) => {
      let depth = 0
      for (const [text, value] of call.matchAll(token)) {
        if (value !== undefined && depth === 1) return readLiteral(value)
        if ('{(['.includes(text)) depth += 1
        if ('})]'.includes(text) && (depth -= 1) === 0) break
      }
      return []
    })
}

function readLiteral(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
