import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import { toBundleOptions } from './bundle-options.ts'
import { toEvaluationSource } from './evaluation-source.ts'
import type { Refusal } from './refusal.ts'
import type { Sources } from './sources.ts'

/** A Worker that evaluates the tools, and what could not become a part of it. */
export interface Bundle {
  /** The module with the handler first; none where nothing could be bundled. */
  readonly modules: readonly esbuild.OutputFile[]
  readonly sourceMaps: readonly esbuild.OutputFile[]
  readonly refusals: readonly Refusal[]
}

/**
 * Bundles the tools for evaluation. A file that esbuild cannot read is refused and left out, so that
 * the others still have their say in the same build.
 */
export async function bundle(sources: Sources, marker: string): Promise<Bundle> {
  const { project, config, tools } = sources
  const contents = toEvaluationSource(
    tools,
    { limits: Object.keys(config.bindings.limits), marker },
    hasZod(project.root),
  )
  try {
    const { outputFiles } = await esbuild.build({
      ...toBundleOptions(sources),
      stdin: { contents, resolveDir: project.root, sourcefile: 'evaluation.js' },
      sourcemap: 'external',
    })
    const [sourceMaps, modules] = partition(outputFiles, ({ path }) => path.endsWith('.map'))
    const [main, others] = partition(modules, ({ path }) => basename(path) === 'stdin.js')
    return { modules: [...main, ...others], sourceMaps, refusals: [] }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    const refusals = error.errors.map(toRefusal)
    const broken = new Set(refusals.flatMap(({ files }) => files))
    const rest = tools.filter(({ file }) => !broken.has(file))
    // the fault is in a file that tools share: nothing to leave out
    if (rest.length === tools.length || rest.length === 0)
      return { modules: [], sourceMaps: [], refusals }
    const others = await bundle({ ...sources, tools: rest }, marker)
    return { ...others, refusals: [...refusals, ...others.refusals] }
  }
}

/** Whether the project has the part of zod 4 that prints the schemas of zod/mini. */
function hasZod(root: string): boolean {
  try {
    return createRequire(join(root, 'package.json')).resolve('zod/v4/core') !== ''
  } catch {
    return false
  }
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

// esbuild's notes speak of options that are not the author's to set
function toRefusal({ text, location }: esbuild.Message): Refusal {
  if (location === null) return { files: ['tools'], why: text }
  const { file, line, column } = location
  return { files: [file], why: `${file}:${line}:${column + 1}: ${text}` }
}
