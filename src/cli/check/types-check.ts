import { areTypesFresh, readEnvTypes, toStaleText } from '../env-types.ts'
import type { CheckContext } from './check-context.ts'
import { type CheckOutcome, findingsOf } from './finding.ts'

/** Checks whether the types of `env` are those of wrangler's configuration. */
export async function checkTypes({ project }: CheckContext): Promise<CheckOutcome> {
  const types = await readEnvTypes(project)
  const create = findingsOf('types', types.file)
  if (types.state === 'none') return { findings: [] }
  if (types.state === 'missing') {
    const message =
      `${types.file} is missing, so \`env\` has no types. \`helve dev\` and \`helve check --fix\` write it ` +
      'with `wrangler types`.'
    return { findings: [create('missing-types', message, { fixable: true })] }
  }
  if (types.state === 'fresh' || (await areTypesFresh(project, types))) {
    return { findings: [], notes: [`the types of \`env\` in ${types.file} are up to date`] }
  }
  return { findings: [create('stale-types', toStaleText(project, types), { fixable: true })] }
}
