import { toErrorMessage } from '../../build/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ProgressLine } from '../progress-line.ts'
import { bundleWorker } from './bundle.ts'
import type { CheckContext } from './check-context.ts'
import { checkConfig } from './config-check.ts'
import {
  type CheckName,
  type CheckOutcome,
  type Finding,
  checkNames,
  findingsOf,
} from './finding.ts'
import type { FileFix } from './fixes.ts'
import { checkMetadata } from './metadata-check.ts'
import { checkBundleSize } from './size-check.ts'
import { checkStartup } from './startup-check.ts'
import { toToolsOutcome } from './tools-check.ts'
import { checkTypes } from './types-check.ts'

export interface CheckReport {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  readonly details: JsonObject
}

/** Runs checks at the same time, as far as one does not need what another one makes. */
export async function runChecks(
  context: CheckContext,
  checks: ReadonlySet<CheckName>,
  progress: ProgressLine,
): Promise<CheckReport> {
  const run = async (
    name: CheckName,
    work: () => CheckOutcome | Promise<CheckOutcome>,
  ): Promise<CheckOutcome> =>
    checks.has(name) ? progress.show(name, Promise.resolve(work())) : { findings: [] }
  const [tools, config, metadata, types, onBundle] = await Promise.all([
    run('tools', () => toToolsOutcome(context.result)),
    run('config', () => checkConfig(context)),
    run('metadata', () => checkMetadata(context)),
    run('types', () => checkTypes(context)),
    // a deploy would end at the same problems
    context.main !== null && context.result.kind === 'good'
      ? checkBundle(context, checks, run)
      : {},
  ])
  const all: Partial<Record<CheckName, CheckOutcome>> = {
    tools,
    config,
    metadata,
    types,
    ...onBundle,
  }
  const ordered = checkNames.flatMap((name) => {
    const outcome = all[name]
    return outcome === undefined ? [] : [{ name, ...outcome }]
  })
  return {
    findings: ordered.flatMap(({ findings }) => findings),
    notes: ordered.flatMap(({ notes = [] }) => notes),
    details: Object.fromEntries(
      ordered.flatMap(({ name, details }) => (details === undefined ? [] : [[name, details]])),
    ),
  }
}

type RunCheck = (name: CheckName, work: () => Promise<CheckOutcome>) => Promise<CheckOutcome>

/** Bundles once for the two checks that need it. */
async function checkBundle(
  context: CheckContext,
  checks: ReadonlySet<CheckName>,
  run: RunCheck,
): Promise<Partial<Record<CheckName, CheckOutcome>>> {
  if (!checks.has('size') && !checks.has('startup')) return {}
  const bundled = bundleWorker(context.project)
  try {
    const [size, startup] = await Promise.all([
      run('size', async () => checkBundleSize(context, await bundled)),
      run('startup', async () => checkStartup(context, await bundled)),
    ])
    return { size, startup }
  } catch (error) {
    const create = findingsOf(checks.has('size') ? 'size' : 'startup', context.main?.file ?? null)
    const message = toErrorMessage(error)
    return { size: { findings: [create('no-bundle', message, { severity: 'error' })] } }
  } finally {
    const remove = await bundled.then(
      ({ remove }) => remove,
      () => null,
    )
    await remove?.()
  }
}

/** Adds what only fixes know, and marks what they mend. */
export function addFixes(
  findings: readonly Finding[],
  fixes: readonly FileFix[],
): readonly Finding[] {
  const isMended = ({ code, file, message }: Finding): boolean =>
    fixes.some((fix) =>
      fix.findings.length > 0
        ? fix.file === file &&
          (fix.codes.includes(code) || fix.findings.some((one) => one.message === message))
        : fix.codes.includes(code),
    )
  const marked = findings.map((one) => ({ ...one, fixable: one.fixable || isMended(one) }))
  const known = (one: Finding): boolean =>
    marked.some(
      ({ file, code, message }) =>
        file === one.file && (code === one.code || message === one.message),
    )
  return [...fixes.flatMap((fix) => fix.findings.filter((one) => !known(one))), ...marked]
}
