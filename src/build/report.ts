import type { Entry, Refusal, Section } from './evaluated.ts'
import type { MainModuleProblems } from './main-module.ts'
import { isAsGuarded, overlaps, toGuardedResources } from '../mcp/guarded-resources.ts'
import { isTextList } from '../protocol/json.ts'
import { isTemplate, readTemplate } from '../protocol/uri-template.ts'
import { type Project, toRelative } from './project.ts'
import type { WranglerConfig } from './wrangler-config.ts'

interface Good {
  readonly kind: 'good'
  readonly project: Project
  readonly entries: readonly Entry[]
  readonly config: Pick<WranglerConfig, 'undeclaredClasses' | 'cachesListings' | 'cachesDefault'>
  readonly main: Omit<MainModuleProblems, 'refusals'>
  /** The registry's path from the project's root, if it was written. */
  readonly wrote?: string
}

export type Result =
  | Good
  | {
      readonly kind: 'refused'
      readonly refusals: readonly Refusal[]
      /** Under `wrangler dev`, where a failed build would stop the server, this counts as success. */
      readonly stillServing: boolean
    }

interface Report {
  readonly exitCode: 0 | 1
  readonly stdout: string
  readonly stderr: string
}

export function toReport(result: Result): Report {
  if (result.kind === 'refused') {
    const end = result.stillServing
      ? 'helve: these modules have problems. The last good tools are still served.'
      : 'helve: these modules have problems. Nothing was written.'
    const stderr = `${toRefusalText(result.refusals)}\n\n${end}`
    return { exitCode: result.stillServing ? 0 : 1, stdout: '', stderr }
  }
  const { entries, wrote } = result
  return {
    exitCode: 0,
    stdout: `helve: ${toCount(entries)}${wrote ? ` in ${wrote}` : ', no problems'}`,
    stderr: toWarnings(result)
      .map((warning) => `Warning: ${warning}\n`)
      .join('\n'),
  }
}

/** Prints refusals grouped by file, in the order they were found, each once. */
export function toRefusalText(refusals: readonly Refusal[]): string {
  const byFiles = Map.groupBy(refusals, ({ files }) => files.join(', '))
  return [...byFiles]
    .map(([files, group]) => {
      const reasons = new Set(group.map(({ why }) => why))
      return [files, ...[...reasons].map((why) => `  - ${why}`)].join('\n')
    })
    .join('\n\n')
}

/** Finds what a build accepts, though it is probably a mistake. */
function toWarnings({ entries, project, config, main }: Good): readonly string[] {
  const { undeclaredClasses, cachesListings, cachesDefault } = config
  const path = toRelative(project.root, project.config)
  const warnings: string[] = [...main.renamed]
  if (entries.length === 0) {
    warnings.push(
      `There are no tools in ${toRelative(project.root, project.tools)}/ yet. ` +
        'Add a file with `export default defineTool({ ... })`.',
    )
  }
  if (undeclaredClasses.length > 0) {
    warnings.push(
      `${path} declares no storage for ${undeclaredClasses.join(' and ')}, so questions, handles and ` +
        'notifications will fail. Add a [[migrations]] entry with a new tag and ' +
        `new_sqlite_classes = ${JSON.stringify(undeclaredClasses)}, and export both classes from ` +
        '`main`.',
    )
  }
  if (main.unexported.length > 0) {
    const names = main.unexported.join(', ')
    warnings.push(
      `The \`main\` module of ${path} does not export ${names}, and the platform looks for them ` +
        `there. Add \`export const { ${names} } = worker\`.`,
    )
  }
  const cached = entries.filter(isCached).map(({ file }) => file)
  if (cached.length > 0 && cachesListings === null) {
    warnings.push(
      `${path} does not enable Workers Cache, so nothing is cached at the edge for ` +
        `${cached.join(', ')}. Add [cache] with enabled = true, [exports.Listings] and ` +
        '[exports.default] as in docs/caching.md. To hide this warning, set enabled = false.',
    )
  }
  if (cachesDefault === true) {
    warnings.push(
      `${path} enables Workers Cache for the default entrypoint, where cached replies skip ` +
        'authentication and request limits. Add [exports.default] with type = "worker" and ' +
        'cache = { enabled = false }.',
    )
  }
  return [...warnings, ...findUnguarded(entries)]
}

/**
 * Finds resources with `scopes` or `visible` that lie within a template without: what the template reads
 * may be the same content under another name.
 */
function findUnguarded(entries: readonly Entry[]): readonly string[] {
  const resources = entries
    .filter(({ section }) => section === 'resources')
    .map(({ file, members: { uri, scopes, conditional } }) => ({
      file,
      uri: String(uri),
      scopes: isTextList(scopes) ? scopes : [],
      conditional: conditional === true,
    }))
  return toGuardedResources(resources).flatMap(({ entry }) =>
    resources
      .filter(({ uri }) => isTemplate(uri) && uri !== entry.uri)
      .filter((template) => !isAsGuarded(template, entry))
      .filter((template) => !overlaps(template.uri, readTemplate(entry.uri), 'all'))
      .filter((template) => overlaps(entry.uri, readTemplate(template.uri), 'some'))
      .map(
        (template) =>
          `${template.file} serves ${template.uri}, which includes ${entry.uri} of ${entry.file}, but ` +
          `not with its ${entry.conditional ? '`visible`' : '`scopes`'}. Helve reads such a URI only ` +
          `by ${entry.file}. Add the same to ${template.file}, or let its \`read\` return null for ` +
          'everything that the other one protects.',
      ),
  )
}

/** Whether the edge would cache anything for an entry. */
function isCached({ members }: Entry): boolean {
  const { cache = null, ttlMs = 0, asks, dynamic } = members
  return cache !== null || (ttlMs !== 0 && asks === false) || dynamic === true
}

const sectionNouns: Readonly<Record<Section, string>> = {
  tools: 'tool',
  resources: 'resource',
  prompts: 'prompt',
  handles: 'handle',
}

function toCount(entries: readonly Entry[]): string {
  if (entries.length === 0) return '0 tools'
  const counts = Object.entries(sectionNouns).flatMap(([section, noun]) => {
    const { length } = entries.filter((entry) => entry.section === section)
    return length === 0 ? [] : `${length} ${noun}${length === 1 ? '' : 's'}`
  })
  return counts.join(', ')
}
