import * as esbuild from 'esbuild'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Entry, Section } from './kinds/evaluated.ts'
import { type Project, type Sources, toRelative } from './project.ts'
import type { WranglerConfig } from './wrangler-config.ts'

/** Every tool is sound. */
interface Good {
  readonly kind: 'good'
  readonly project: Project
  readonly entries: readonly Entry[]
  readonly config: Pick<WranglerConfig, 'undeclaredClasses' | 'cachesListings' | 'cachesDefault'>
  /** What the Worker's module should export. */
  readonly unexported: readonly string[]
  readonly wrote?: string
}

/** How a command ended. */
export type Result =
  | Good
  | {
      readonly kind: 'refused'
      readonly refusals: readonly Refusal[]
      /** Under `wrangler dev` a failed build would stop the server, so this one counts as good. */
      readonly stillServing: boolean
    }

/** What the terminal gets to see of a {@link Result}. */
interface Report {
  readonly exitCode: 0 | 1
  readonly news: string
  readonly errors: string
}

/** Says how a command ended. */
export function toReport(result: Result): Report {
  if (result.kind === 'refused') {
    const end = result.stillServing
      ? 'helve refused these tools. The last good ones are still served.'
      : 'helve refused these tools, and wrote nothing.'
    const errors = `${toRefusalText(result.refusals)}\n\n${end}`
    return { exitCode: result.stillServing ? 0 : 1, news: '', errors }
  }
  const { entries, wrote } = result
  return {
    exitCode: 0,
    news: `helve: ${toCount(entries)}${wrote ? ` in ${wrote}` : ', all good'}`,
    errors: toWarnings(result)
      .map((warning) => `Warning: ${warning}\n`)
      .join('\n'),
  }
}

/** What does not keep a build from being good, and yet is hardly meant. */
function toWarnings({ entries, project, config, unexported }: Good): readonly string[] {
  const { undeclaredClasses, cachesListings, cachesDefault } = config
  const path = toRelative(project.root, project.config)
  const warnings: string[] = []
  if (entries.length === 0) {
    warnings.push(
      `There is no tool in ${toRelative(project.root, project.tools)}/ yet. ` +
        'Add a file that has `export default defineTool({ ... })`.',
    )
  }
  if (undeclaredClasses.length > 0) {
    warnings.push(
      `${path} gives ${undeclaredClasses.join(' and ')} no ` +
        'storage, so that questions, handles or notifications fail. Add a [[migrations]] entry with ' +
        `a tag of its own and new_sqlite_classes = ${JSON.stringify(undeclaredClasses)}, and export ` +
        'both classes from `main`.',
    )
  }
  if (unexported.length > 0) {
    const names = unexported.join(', ')
    warnings.push(
      `The \`main\` of ${path} does not export ${names}, where the platform looks for them. Write ` +
        `\`export const { ${names} } = worker\` there.`,
    )
  }
  const kept = entries.filter(isKept).map(({ file }) => file)
  if (kept.length > 0 && cachesListings === null) {
    warnings.push(
      `${path} does not turn on the cache, so that what ${kept.join(', ')} would have kept at the ` +
        'edge is made anew each time. Add [cache] with enabled = true, [exports.Listings] and ' +
        '[exports.default] as docs/caching.md has them; or say enabled = false, and this is not said ' +
        'again.',
    )
  }
  if (cachesDefault === true) {
    warnings.push(
      `${path} has the cache stand before the Worker itself, where nobody is asked for credentials and ` +
        'nobody is counted. Add [exports.default] with type = "worker" and cache = { enabled = false }.',
    )
  }
  return warnings
}

/** Whether an entry has something that the edge would keep. */
function isKept({ members }: Entry): boolean {
  const { cache = null, ttlMs = 0, asks, dynamic } = members
  return cache !== null || (ttlMs !== 0 && asks === false) || dynamic === true
}

const words: Readonly<Record<Section, string>> = {
  tools: 'tool',
  resources: 'resource',
  prompts: 'prompt',
  handles: 'handle',
}

/** Such as `4 tools, 1 prompt`. */
function toCount(entries: readonly Entry[]): string {
  if (entries.length === 0) return '0 tools'
  const counts = Object.entries(words).flatMap(([section, word]) => {
    const { length } = entries.filter((entry) => entry.section === section)
    return length === 0 ? [] : `${length} ${word}${length === 1 ? '' : 's'}`
  })
  return counts.join(', ')
}

/** Why the build will not serve a module, or several that do not go together. */
export interface Refusal {
  /** Paths from the project's root. */
  readonly files: readonly string[]
  /** Sentences: what is wrong, and what to do about it. */
  readonly why: string
}

/** Prints refusals file by file, in the order they were found, each once. */
export function toRefusalText(refusals: readonly Refusal[]): string {
  const byFiles = Map.groupBy(refusals, ({ files }) => files.join(', '))
  return [...byFiles]
    .map(([files, group]) => {
      const reasons = new Set(group.map(({ why }) => why))
      return [files, ...[...reasons].map((why) => `  - ${why}`)].join('\n')
    })
    .join('\n\n')
}

const needed = ['Handles', 'Hub', 'Listings']

/**
 * Tells what the Worker's main module should export and does not. The platform finds classes by these
 * names: without them handles, notifications and the cache fail one by one, at the first request.
 */
export async function findUnexported({ project, config }: Sources): Promise<readonly string[]> {
  if (config.main === null) return []
  const exported = await readExports(resolve(dirname(project.config), config.main))
  return exported === null ? [] : needed.filter((name) => !exported.includes(name))
}

/** The names that a module exports; `null` where it cannot be read, or passes on those of another. */
async function readExports(path: string): Promise<readonly string[] | null> {
  try {
    if (/^\s*export\s*\*/m.test(await readFile(path, 'utf8'))) return null
    const { metafile } = await esbuild.build({
      entryPoints: [path],
      write: false,
      metafile: true,
      format: 'esm',
      outdir: '.',
      logLevel: 'silent',
    })
    return Object.values(metafile.outputs).flatMap((output) => output.exports)
  } catch {
    // wrangler says what is wrong with it
    return null
  }
}
