import { findClassWarnings } from './classes.ts'
import type { Entry, Refusal, Section } from './evaluated.ts'
import { toPrintable } from './hidden.ts'
import type { MainModuleProblems } from './main-module.ts'
import { isAsGuarded, overlaps, toGuardedResources } from '../mcp/guarded-resources.ts'
import { isTextList } from '../protocol/json.ts'
import { isTemplate, readTemplate } from '../protocol/uri-template.ts'
import { type Project, toRelative } from './project.ts'
import { findScopeWarnings } from './scopes.ts'
import type { WranglerConfig } from './wrangler-config.ts'

interface Good {
  readonly kind: 'good'
  readonly project: Project
  readonly entries: readonly Entry[]
  readonly config: Pick<
    WranglerConfig,
    'undeclaredClasses' | 'newTag' | 'cachesListings' | 'cachesDefault'
  >
  readonly main: Omit<MainModuleProblems, 'refusals'>
  /** What the evaluation warns of. */
  readonly warnings: readonly string[]
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

/** @param strict whether a warning fails the command. */
export function toReport(result: Result, strict = false): Report {
  if (result.kind === 'refused') {
    const end = result.stillServing
      ? 'helve: these modules have problems. The last good tools are still served.'
      : 'helve: these modules have problems. Nothing was written.'
    const stderr = `${toRefusalText(result.refusals)}\n\n${end}`
    return { exitCode: result.stillServing ? 0 : 1, stdout: '', stderr }
  }
  const { entries, wrote } = result
  const warnings = toWarnings(result)
  const count = toCount(entries)
  const found = warnings.length === 0 ? 'no problems' : toPlural(warnings.length, 'warning')
  const end = warnings.length === 0 ? '' : `, ${found}`
  return {
    exitCode: strict && warnings.length > 0 ? 1 : 0,
    stdout: `helve: ${count}${wrote === undefined ? `, ${found}` : ` in ${wrote}${end}`}`,
    stderr: warnings.map((warning) => `Warning: ${toPrintableLines(warning)}\n`).join('\n'),
  }
}

/** Prints refusals grouped by file, in the order they were found, each once. */
export function toRefusalText(refusals: readonly Refusal[]): string {
  const byFiles = Map.groupBy(refusals, ({ files }) => files.join(', '))
  return [...byFiles]
    .map(([files, group]) => {
      const reasons = new Set(group.map(({ why }) => why))
      return [files, ...[...reasons].map((why) => `  - ${toPrintableLines(why)}`)].join('\n')
    })
    .join('\n\n')
}

/** What is quoted, such as the message of an error, must not be obeyed by a terminal. */
function toPrintableLines(text: string): string {
  return text.replaceAll('\t', '  ').split('\n').map(toPrintable).join('\n')
}

/** Finds what a build accepts, though it is probably a mistake. */
function toWarnings({ entries, project, config, main, ...found }: Good): readonly string[] {
  const { cachesListings, cachesDefault } = config
  const path = toRelative(project.root, project.config)
  const warnings: string[] = [...main.renamed, ...main.hidden, ...found.warnings]
  if (entries.length === 0) {
    warnings.push(
      `There are no tools in ${toRelative(project.root, project.tools)}/ yet. ` +
        'Add a file with `export default defineTool({ ... })`.',
    )
  }
  warnings.push(...entries.flatMap(toNameWarnings), ...entries.flatMap(toPatternWarnings))
  warnings.push(...findClassWarnings({ entries, path, config, main }))
  warnings.push(...findScopeWarnings(entries, main.hasAuth))
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

/** The specification allows more in a name than the APIs of models, which refuse the whole request. */
function toNameWarnings({ section, key, file }: Entry): readonly string[] {
  if (section !== 'tools' || /^[\w-]{1,64}$/.test(key)) return []
  const what = key.includes('.') ? 'a dot' : 'more than 64 characters'
  return [
    `${file}: the name "${key}" has ${what}. The specification allows it, but the APIs of most models ` +
      'accept only names of at most 64 letters, digits, "_" and "-". Rename the file, or set `name`.',
  ]
}

function toPatternWarnings({ file, boundedPatterns = [] }: Entry): readonly string[] {
  if (boundedPatterns.length === 0) return []
  return [
    `${file}: text of more than 500 characters is refused at ${boundedPatterns.join(', ')}, because the ` +
      'pattern may read it many times. Say so with a `maxLength` of at most 500, such as .max(500), or ' +
      'write a pattern that reads the text once.',
  ]
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
    return length === 0 ? [] : toPlural(length, noun)
  })
  return counts.join(', ')
}

function toPlural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
