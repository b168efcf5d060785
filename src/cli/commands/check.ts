import process from 'node:process'
import { type Project, createProject } from '../../build/project.ts'
import { toPlural, toRefusalText } from '../../build/report.ts'
import { type CheckContext, loadCheckContext } from '../check/check-context.ts'
import { type CheckName, type Finding, checkNames } from '../check/finding.ts'
import { type FileFix, applyFix, planFixes, planRenames, toFixText } from '../check/fixes.ts'
import { type CheckReport, addFixes, runChecks } from '../check/run-checks.ts'
import { type Command, UsageError, defineCommand } from '../command.ts'
import { updateEnvTypes } from '../env-types.ts'
import { ProgressLine } from '../progress-line.ts'
import { projectOptions } from '../project-options.ts'

export const checkCommand: Command = defineCommand({
  usage: 'check',
  about:
    'Checks everything that a deploy needs, and changes nothing without --fix. The checks are:\n' +
    '  tools     modules, schemas, scopes, and what of the main module the tools need\n' +
    '  config    the configuration of wrangler in each environment, and .gitignore\n' +
    '  metadata  that clients find this Worker, and how to authorize, at `resource`\n' +
    '  types     that the types of `env` are those of the configuration\n' +
    '  size      the size of the Worker, and what of it each tool brings\n' +
    '  startup   the CPU time that its start takes\n' +
    'The last three run wrangler, and so the build command.',
  options: {
    ...projectOptions,
    only: {
      type: 'string',
      value: '<checks>',
      about: 'run only these checks, such as tools,types',
    },
    fix: { type: 'boolean', about: 'mend what can be mended safely, and show the changes' },
    strict: { type: 'boolean', about: 'fail if there are warnings' },
    json: { type: 'boolean', about: 'print the findings as JSON' },
  },
  examples: {
    'check --only tools,config': 'checks that take less than a second',
    'check --strict --json': 'for a script, which should read the exit code too',
  },
  async run({ only, fix = false, strict = false, json = false, ...folders }) {
    const checks = readChecks(only)
    const project = createProject(process.cwd(), folders)
    const progress = new ProgressLine()
    const fixed = fix ? await mend(project, checks) : []
    if (!json) for (const one of fixed) console.log(`Fixed: ${one}\n`)
    const context = await progress.show('the project', loadCheckContext(project))
    const report = await runChecks(context, checks, progress)
    const fixes = await planAll(context, checks)
    const findings = addFixes(report.findings, fixes)
    if (json) printJson({ ...report, findings }, fixed)
    else printText({ ...report, findings })
    const isBad = ({ severity }: Finding): boolean => strict || severity === 'error'
    return findings.some(isBad) ? 1 : 0
  },
})

/** @throws {UsageError} if a check is not one. */
function readChecks(only: string | undefined): ReadonlySet<CheckName> {
  if (only === undefined) return new Set(checkNames)
  const named = only.split(',').map((name) => {
    const check = checkNames.find((known) => known === name.trim())
    if (check !== undefined) return check
    throw new UsageError(`"${name}" is not a check. The checks are: ${checkNames.join(', ')}.`)
  })
  return new Set(named)
}

async function planAll(
  context: CheckContext,
  checks: ReadonlySet<CheckName>,
): Promise<readonly FileFix[]> {
  const renames = checks.has('tools') ? await planRenames(context.project) : []
  return [...renames, ...(await planFixes(context, checks))]
}

/** A fix may show what else is wrong, such as a class that a module needs once it can be read. */
const maxRounds = 5

/** Mends until there is nothing left to mend, and returns what was done. */
async function mend(project: Project, checks: ReadonlySet<CheckName>): Promise<readonly string[]> {
  const { root } = project
  const done: string[] = []
  const apply = async (fixes: readonly FileFix[]): Promise<void> => {
    for (const one of fixes) {
      // oxlint-disable-next-line no-await-in-loop -- two fixes may change the same file
      await applyFix(root, one)
      done.push(toFixText(one))
    }
  }
  if (checks.has('tools')) await apply(await planRenames(project))
  for (let round = 0; round < maxRounds; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each round reads what the one before has changed
    const fixes = await loadCheckContext(project).then((context) => planFixes(context, checks))
    if (fixes.length === 0) break
    // oxlint-disable-next-line no-await-in-loop -- as above
    await apply(fixes)
  }
  const types = checks.has('types') ? await updateEnvTypes(project) : null
  if (types !== null) done.push(types)
  return done
}

function printJson(report: CheckReport, fixed: readonly string[]): void {
  const { findings, details } = report
  console.log(JSON.stringify({ findings, fixed, ...details }, null, 2))
}

/** Most messages name their file. */
function toPlace({ file, line, message }: Finding): string {
  if (file === null || message.includes(file)) return ''
  return line === null ? `${file}: ` : `${file}:${line}: `
}

function printText({ findings, notes }: CheckReport): void {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  if (errors.length > 0) {
    const refusals = errors.map(({ file, message }) => ({
      files: [file ?? 'The Worker'],
      why: message,
    }))
    console.error(`${toRefusalText(refusals)}\n`)
  }
  for (const one of warnings) console.error(`Warning: ${toPlace(one)}${one.message}\n`)
  const counts = [
    ...(errors.length === 0 ? [] : [toPlural(errors.length, 'problem')]),
    ...(warnings.length === 0 ? [] : [toPlural(warnings.length, 'warning')]),
  ]
  const fixable = findings.filter((one) => one.fixable).length
  const found = counts.length === 0 ? 'no problems' : counts.join(' and ')
  const [first, ...others] = notes
  console.log(['helve: ', ...(first === undefined ? [] : [first, ', ']), found].join(''))
  for (const note of others) console.log(`  ${note}`)
  if (fixable > 0) console.log(`\`helve check --fix\` mends ${fixable} of them.`)
}
