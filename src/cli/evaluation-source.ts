import { join } from 'node:path'
import type { ToolSource } from './sources.ts'

/** Where the half of the build that runs in workerd begins. */
const evaluate = join(import.meta.dirname, 'evaluation/evaluate.ts')

/** Writes the Worker that loads the tools and tells what they are; `workerd test` runs it. */
export function toEvaluationSource(
  tools: readonly ToolSource[],
  settings: { readonly limits: readonly string[]; readonly marker: string },
  hasZod: boolean,
): string {
  const modules = tools.map(({ file, name }) => {
    const load = `() => import(${JSON.stringify(`./${file}`)})`
    return `{ file: ${JSON.stringify(file)}, name: ${JSON.stringify(name)}, load: ${load} }`
  })
  return [
    `import { evaluate } from ${JSON.stringify(evaluate)}`,
    hasZod ? "import * as zod from 'zod/v4/core'" : 'const zod = null',
    `const settings = ${JSON.stringify(settings)}`,
    `const modules = [${modules.join(', ')}]`,
    'export default { test: () => evaluate({ ...settings, modules, zod }) }',
  ].join('\n')
}
