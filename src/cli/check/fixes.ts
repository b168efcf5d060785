import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '../../build/project.ts'
import { addWorkerExports } from '../edit/module-edit.ts'
import { renameInModule } from '../edit/renames.ts'
import { toLineDiff } from '../edit/text-edit.ts'
import { editWranglerConfig } from '../edit/wrangler-edit.ts'
import { toNewTag } from '../../build/wrangler-config.ts'
import { type ConfigProblem, findBuildProblems } from './build-command.ts'
import type { CheckContext } from './check-context.ts'
import { findUndeclared, hasOwnMigrations } from './config-check.ts'
import { type CheckName, type Finding, findingsOf } from './finding.ts'
import { addIgnored, findUnignored } from './ignored-files.ts'
import { toMissingClasses } from './tools-check.ts'

/** The new text of a file, and what it mends. */
export interface FileFix {
  /** A path from the project's root. */
  readonly file: string
  readonly before: string
  readonly after: string
  /** The codes of the findings that it mends. */
  readonly codes: readonly string[]
  /** Findings that only the fix knows. */
  readonly findings: readonly Finding[]
}

/** Plans what can be mended safely in the modules, before they can be read. */
export async function planRenames({ root }: Project): Promise<readonly FileFix[]> {
  const files = await findModules(root)
  const planned = files.map(async (file): Promise<readonly FileFix[]> => {
    const before = await readFile(join(root, file), 'utf8')
    if (!/["']helve\b/.test(before)) return []
    const { text: after, renamed } = renameInModule(before)
    const create = findingsOf('tools', file)
    const findings = renamed.map(({ code, message, line }) =>
      create(code, message, { fixable: true, line }),
    )
    const codes = renamed.map(({ code }) => code)
    return after === before ? [] : [{ file, before, after, codes, findings }]
  })
  return (await Promise.all(planned)).flat()
}

async function findModules(root: string): Promise<readonly string[]> {
  const found: string[] = []
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    const inner = entries.map(async (entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!/^(?:\..*|node_modules|dist|build|out|coverage)$/.test(entry.name)) await walk(path)
      } else if (/\.(?:[cm]?ts|tsx|m?js|jsx)$/.test(entry.name) && entry.isFile()) {
        found.push(path)
      }
    })
    await Promise.all(inner)
  }
  await walk('')
  return found.toSorted()
}

/** Plans what can be mended safely besides: the configuration, the main module, and .gitignore. */
export async function planFixes(
  context: CheckContext,
  checks: ReadonlySet<CheckName>,
): Promise<readonly FileFix[]> {
  const exported = checks.has('tools') ? await planExports(context) : []
  // a class that is declared and not exported keeps the Worker from starting
  const canDeclare = exported.length > 0 || toMissingClasses(context.result).unexported.length === 0
  const planned = await Promise.all([
    planConfig(context, checks, canDeclare),
    checks.has('config') ? planIgnored(context) : [],
  ])
  return [...exported, ...planned.flat()]
}

async function planConfig(
  context: CheckContext,
  checks: ReadonlySet<CheckName>,
  canDeclare: boolean,
): Promise<readonly FileFix[]> {
  const { project, configFile } = context
  const planned = [
    ...(checks.has('tools') ? planToolsEdits(context, canDeclare) : []),
    ...(checks.has('config')
      ? [...planMigrations(context), ...(await findBuildProblems(context))]
      : []),
  ]
  const before = await readFile(project.config, 'utf8')
  const codes: string[] = []
  let after = before
  // each on its own: one without a safe place must not keep the others from being made
  for (const { edits, code } of planned) {
    // oxlint-disable-next-line no-await-in-loop -- each edit needs the text of the one before
    const edited = edits.length === 0 ? null : await editWranglerConfig(configFile, after, edits)
    if (edited !== null) codes.push(code)
    after = edited ?? after
  }
  return after === before ? [] : [{ file: configFile, before, after, codes, findings: [] }]
}

type PlannedEdit = Pick<ConfigProblem, 'code' | 'edits'>

function planToolsEdits(
  { result, sources }: CheckContext,
  canDeclare: boolean,
): readonly PlannedEdit[] {
  const { undeclared } = toMissingClasses(result)
  const value = { tag: sources.config.newTag, new_sqlite_classes: undeclared }
  const path = ['exports', 'default']
  return [
    ...(undeclared.length === 0 || !canDeclare
      ? []
      : [
          {
            code: 'missing-class',
            edits: [{ kind: 'append', path: ['migrations'], value } as const],
          },
        ]),
    ...(result.kind === 'refused' || sources.config.cachesDefault !== true
      ? []
      : [
          {
            code: 'cached-entrypoint',
            edits: [
              { kind: 'set', path: [...path, 'type'], value: 'worker' } as const,
              { kind: 'set', path: [...path, 'cache'], value: { enabled: false } } as const,
            ],
          },
        ]),
  ]
}

function planMigrations({ environments, sources }: CheckContext): readonly PlannedEdit[] {
  return environments.filter(hasOwnMigrations).flatMap(({ name, own }) => {
    const missing = findUndeclared(own, sources.config.declaredClasses)
    if (missing.length === 0) return []
    const value = { tag: toNewTag(own), new_sqlite_classes: missing }
    const path = ['env', name ?? '', 'migrations']
    return [{ code: 'missing-class', edits: [{ kind: 'append', path, value }] }]
  })
}

async function planIgnored(context: CheckContext): Promise<readonly FileFix[]> {
  const lines = await findUnignored(context)
  if (lines.length === 0) return []
  const { before, after } = await addIgnored(context.project.root, lines)
  return [{ file: '.gitignore', before, after, codes: ['not-ignored'], findings: [] }]
}

async function planExports({ project, result, main }: CheckContext): Promise<readonly FileFix[]> {
  const { unexported } = toMissingClasses(result)
  if (main === null || unexported.length === 0) return []
  const before = await readFile(join(project.root, main.file), 'utf8')
  const names = unexported.filter((name) => main.exports?.includes(name) !== true)
  const after = addWorkerExports(before, names)
  if (after === null || after === before) return []
  const codes = ['missing-export', 'missing-class']
  return [{ file: main.file, before, after, codes, findings: [] }]
}

export async function applyFix(root: string, { file, after }: FileFix): Promise<void> {
  await writeFile(join(root, file), after)
}

/** What a fix changes, for the terminal. */
export function toFixText({ file, before, after }: FileFix): string {
  const lines = toLineDiff(before, after).split('\n')
  return `${file}\n${lines.map((line) => `  ${line}`).join('\n')}`
}
