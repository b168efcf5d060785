import type { Entry, StoredClass } from './evaluated.ts'
import type { MainModuleProblems } from './main-module.ts'
import type { WranglerConfig } from './wrangler-config.ts'

interface ClassSources {
  readonly entries: readonly Entry[]
  /** The path of wrangler's configuration, as sentences name it. */
  readonly path: string
  readonly config: Pick<WranglerConfig, 'undeclaredClasses' | 'newTag'>
  readonly main: Pick<MainModuleProblems, 'unexported' | 'servesLegacy'>
}

/** The classes that entries need, and that wrangler's configuration or the main module lacks. */
export function findMissingClasses({
  entries,
  config,
  main,
}: Omit<ClassSources, 'path'>): MissingClasses {
  const isNeeded = (name: string): boolean => name !== 'Bridge' || needsBridge(entries, main)
  return {
    undeclared: config.undeclaredClasses.filter(isNeeded),
    unexported: main.unexported.filter(isNeeded),
  }
}

interface MissingClasses {
  readonly undeclared: readonly StoredClass[]
  readonly unexported: readonly string[]
}

/** Finds classes that wrangler's configuration or the main module lacks, with the lines to add. */
export function findClassWarnings({
  entries,
  path,
  config,
  main,
}: ClassSources): readonly string[] {
  const missing = findMissingClasses({ entries, config, main })
  const { undeclared } = missing
  // a class with neither is in one warning
  const { true: both = [], false: unexported = [] } = Object.groupBy(
    missing.unexported,
    (name) => `${undeclared.some((other) => other === name)}` as const,
  )
  const warnings: string[] = []
  if (undeclared.length > 0) {
    warnings.push(
      [
        `${path} declares no storage for ${undeclared.join(' and ')}${toEffects(entries, undeclared)} ` +
          toMigration(path, config.newTag, undeclared),
        ...(both.length === 0 ? [] : [`And to \`main\`:`, `    ${toExportLine(both)}`]),
        ...(undeclared.some((name) => name !== 'Bridge') ? [] : [hint]),
      ].join('\n\n'),
    )
  }
  if (unexported.length > 0) {
    warnings.push(
      `The \`main\` module of ${path} does not export ${unexported.join(', ')}, and the platform ` +
        `looks for them there. Add \`${toExportLine(unexported)}\`.`,
    )
  }
  return warnings
}

const hint =
  'A Worker with createWorker({ legacy: false }) refuses these clients, and needs no Bridge.'

/** Whether an entry can do less for older clients without the class; others never call it. */
function needsBridge(entries: readonly Entry[], { servesLegacy }: ClassSources['main']): boolean {
  return servesLegacy && entries.some((entry) => toStoredText(entry, ['Bridge']).length > 0)
}

/** Continues the sentence that names the classes. */
function toEffects(entries: readonly Entry[], classes: readonly StoredClass[]): string {
  const storing = classes.filter((name) => name !== 'Bridge')
  const fails = entries.flatMap((entry) => toStoredText(entry, storing))
  if (storing.includes('Hub')) fails.push('notifications')
  const failing = fails.length === 0 ? '.' : `, so these will fail: ${fails.join(', ')}.`
  if (!classes.includes('Bridge')) return failing
  const lost = entries.flatMap((entry) => toStoredText(entry, ['Bridge']))
  return `${failing} Without Bridge, clients of the revisions before 2026-07-28 cannot use: ${lost.join(', ')}.`
}

/** Names what an entry needs of these classes, such as "pay (`parallel`)". */
function toStoredText({ key, stored = {} }: Entry, classes: readonly StoredClass[]): string[] {
  const what = new Set(classes.flatMap((name) => stored[name] ?? []))
  return what.size === 0 ? [] : [`${key} (${[...what].join(', ')})`]
}

/** What to add to the configuration, in its own format. */
function toMigration(path: string, tag: string, classes: readonly StoredClass[]): string {
  const names = `[${classes.map((name) => JSON.stringify(name)).join(', ')}]`
  if (!path.endsWith('.toml')) {
    return `Add to "migrations" of ${path}:\n\n    { "tag": "${tag}", "new_sqlite_classes": ${names} }`
  }
  const lines = ['[[migrations]]', `tag = "${tag}"`, `new_sqlite_classes = ${names}`]
  return `Add to ${path}:\n\n${lines.map((line) => `    ${line}`).join('\n')}`
}

function toExportLine(names: readonly string[]): string {
  return `export const { ${names.join(', ')} } = worker`
}
