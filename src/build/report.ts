import { findClassWarnings } from './classes.ts'
import type { Entry, Refusal, Section, Warning } from './evaluated.ts'
import { toPrintable } from './hidden.ts'
import type { MainModuleProblems } from './main-module.ts'
import { isAsGuarded, overlaps, toGuardedResources } from '../mcp/guarded-resources.ts'
import { isTextList } from '../protocol/json.ts'
import { isTemplate, readTemplate } from '../protocol/uri-template.ts'
import { type Project, toRelative } from './project.ts'
import { findScopeWarnings } from './scopes.ts'
import type { WranglerConfig } from './wrangler-config.ts'

/** What a build or a check found where nothing is refused. */
export interface GoodResult {
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
  | GoodResult
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
  const warnings = findWarnings(result)
  const count = toEntryCount(entries)
  const found = warnings.length === 0 ? 'no problems' : toPlural(warnings.length, 'warning')
  const end = warnings.length === 0 ? '' : `, ${found}`
  return {
    exitCode: strict && warnings.length > 0 ? 1 : 0,
    stdout: `helve: ${count}${wrote === undefined ? `, ${found}` : ` in ${wrote}${end}`}`,
    stderr: warnings.map(({ message }) => `Warning: ${toPrintableLines(message)}\n`).join('\n'),
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
export function toPrintableLines(text: string): string {
  return text.replaceAll('\t', '  ').split('\n').map(toPrintable).join('\n')
}

/** Finds what a build accepts, though it is probably a mistake. */
export function findWarnings({
  entries,
  project,
  config,
  main,
  ...found
}: GoodResult): readonly Warning[] {
  const path = toRelative(project.root, project.config)
  return [
    ...toWarnings('renamed-import', main.renamed),
    ...toWarnings('hidden-characters', main.hidden),
    ...toWarnings('module', found.warnings),
    ...toWarnings('no-tools', entries.length > 0 ? [] : [toEmptyText(project)]),
    ...toWarnings('name', entries.flatMap(toNameWarnings)),
    ...toWarnings('pattern', entries.flatMap(toPatternWarnings)),
    ...toWarnings('missing-class', findClassWarnings({ entries, path, config, main })),
    ...toWarnings('scope', findScopeWarnings(entries, main.hasAuth)),
    ...findCacheWarnings(entries, config, path),
    ...toWarnings('unguarded-resource', findUnguarded(entries)),
  ]
}

function toWarnings(code: string, messages: readonly string[]): readonly Warning[] {
  return messages.map((message) => ({ code, message }))
}

function toEmptyText({ root, tools }: Project): string {
  return (
    `There are no tools in ${toRelative(root, tools)}/ yet. ` +
    'Add a file with `export default defineTool({ ... })`.'
  )
}

function findCacheWarnings(
  entries: readonly Entry[],
  { cachesListings, cachesDefault }: GoodResult['config'],
  path: string,
): readonly Warning[] {
  const warnings: Warning[] = []
  const cached = entries.filter(isCached).map(({ file }) => file)
  if (cached.length > 0 && cachesListings === null) {
    warnings.push({
      code: 'no-cache',
      message:
        `${path} does not enable Workers Cache, so nothing is cached at the edge for ` +
        `${cached.join(', ')}. Add [cache] with enabled = true, [exports.Listings] and ` +
        '[exports.default] as in docs/caching.md. To hide this warning, set enabled = false.',
    })
  }
  if (cachesDefault === true) {
    warnings.push({
      code: 'cached-entrypoint',
      message:
        `${path} enables Workers Cache for the default entrypoint, where cached replies skip ` +
        'authentication and request limits. Add [exports.default] with type = "worker" and ' +
        'cache = { enabled = false }.',
    })
  }
  return warnings
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

export function toEntryCount(entries: readonly Entry[]): string {
  if (entries.length === 0) return '0 tools'
  const counts = Object.entries(sectionNouns).flatMap(([section, noun]) => {
    const { length } = entries.filter((entry) => entry.section === section)
    return length === 0 ? [] : toPlural(length, noun)
  })
  return counts.join(', ')
}

export function toPlural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
