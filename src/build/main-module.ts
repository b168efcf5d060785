import * as esbuild from 'esbuild'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Refusal } from './evaluated.ts'
import { type Sources, toRelative } from './project.ts'
import { toReplacement } from './bundle.ts'

/** The problems of the Worker's main module, which the build reads but does not evaluate. */
export interface MainModuleProblems {
  /** Without a class whose storage wrangler.toml declares, the Worker cannot start. */
  readonly refusals: readonly Refusal[]
  /** Other classes that it should export. */
  readonly unexported: readonly string[]
  readonly renamed: readonly string[]
  /** False only if it certainly calls createWorker without `auth`. */
  readonly hasAuth: boolean
}

/** The platform finds classes by these names: without them the first request that needs one fails. */
const requiredExports = ['Handles', 'Hub', 'Listings']

/** Finds problems of the main module; none if wrangler.toml names no module or it does not parse. */
export async function findMainProblems({ project, config }: Sources): Promise<MainModuleProblems> {
  if (config.main === null) return { refusals: [], unexported: [], renamed: [], hasAuth: true }
  const path = resolve(dirname(project.config), config.main)
  const { exports, imports, code } = await readModule(path)
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
    hasAuth: mayHaveAuth(code),
  }
}

/**
 * Whether createWorker may have `auth`, by the code of the main module: it has if the options are not
 * an object literal, if the literal has a spread, or if the module has no such call.
 */
function mayHaveAuth(code: string): boolean {
  const options = [...code.matchAll(/\bcreateWorker\(\{/g)].map(({ index, 0: call }) =>
    toOwnText(code, index + call.length),
  )
  return (
    options.length === 0 || options.some((own) => /(?:^|[,\s])"?auth"?\s*[:,(]|\.\.\./.test(own))
  )
}

/** Returns the text of an object literal, from after its brace to its end, without what is nested. */
function toOwnText(code: string, start: number): string {
  let own = ''
  let depth = 0
  for (const [part] of code.slice(start).matchAll(tokens)) {
    if (part === ')' || part === ']' || part === '}') depth -= 1
    if (depth < 0) break
    if (depth === 0 && !isOtherText(part)) own += part
    if (part === '(' || part === '[' || part === '{') depth += 1
  }
  return `${own},`
}

// esbuild has removed the comments
const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^]/g

function isOtherText(part: string): boolean {
  return part.length > 1 && part !== '"auth"'
}

interface ReadModule {
  /** `null` if they are not known, such as those of `export *`. */
  readonly exports: readonly string[] | null
  readonly imports: readonly string[]
  /** JavaScript without comments. */
  readonly code: string
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
      code: outputFiles.map(({ text }) => text).join('\n'),
    }
  } catch {
    // wrangler reports what is wrong with the module
    return { exports: null, imports: [], code: '' }
  }
}
