import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { type Project, findToolFiles, toRelative } from '../../build/project.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { type JsonEdit, editJson } from './json-edits.ts'
import { type Plan, editLines, joinPlans, nothing, toAdvice, toPlan } from './plan.ts'

/** Plans what the files beside the Worker lack. */
export async function planFiles(project: Project): Promise<Plan> {
  return joinPlans(
    await Promise.all([planFirstTool(project), planTypes(project), planIgnored(project)]),
  )
}

async function planFirstTool(project: Project): Promise<Plan> {
  const { paths } = await findToolFiles(project.tools)
  if (paths.length > 0) return nothing
  const file = toRelative(project.root, join(project.tools, 'count_words.ts'))
  return toPlan({ file, before: null, after: firstTool })
}

/** The registry imports the tools with their extensions, as Node requires. */
async function planTypes({ root, tools, out }: Project): Promise<Plan> {
  const file = 'tsconfig.json'
  const before = await readFile(join(root, file), 'utf8').catch(() => null)
  if (before === null) return nothing
  const config: unknown = parse(before, [], { allowTrailingComma: true })
  const { compilerOptions: given, include } = isJsonObject(config) ? config : {}
  const options = isJsonObject(given) ? given : {}
  const folders = [toRelative(root, tools), toRelative(root, out)]
  const missing = Array.isArray(include)
    ? folders.filter(
        (folder) => !include.some((each) => String(each).replace(/^\.\//, '').startsWith(folder)),
      )
    : []
  const edits: readonly JsonEdit[] = missing.map((value) => ({
    path: ['include'],
    value,
    isElement: true,
  }))
  const allows =
    options['allowImportingTsExtensions'] === true ||
    options['rewriteRelativeImportExtensions'] === true
  if (allows) return toPlan({ file, before, after: editJson(before, edits) })
  // a project that the compiler writes must say how extensions change
  const emits = ['outDir', 'outFile', 'declaration', 'composite'].some((key) => key in options)
  if (emits && options['noEmit'] !== true) {
    return joinPlans([
      toPlan({ file, before, after: editJson(before, edits) }),
      toAdvice(
        `${file}: the registry imports the tools as \`.ts\`. The compiler writes files here, so decide whether it should ` +
          'go on, and add to `compilerOptions`:',
        '"rewriteRelativeImportExtensions": true,',
      ),
    ])
  }
  const after = editJson(before, [
    ...edits,
    ...(options['noEmit'] === true || options['emitDeclarationOnly'] === true
      ? []
      : [{ path: ['compilerOptions', 'noEmit'], value: true }]),
    { path: ['compilerOptions', 'allowImportingTsExtensions'], value: true },
  ])
  return toPlan({ file, before, after })
}

async function planIgnored({ root, out }: Project): Promise<Plan> {
  const file = '.gitignore'
  const path = join(root, file)
  const before = existsSync(path) ? await readFile(path, 'utf8') : null
  const folder = toRelative(root, out)
  const lines = (before ?? '').split(/\r?\n/).map((line) => line.trim().replaceAll(/^\/|\/$/g, ''))
  if (lines.includes(folder)) return nothing
  const after = editLines(before ?? '', (text) => {
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return `${start}${folder}/\n`
  })
  return toPlan({ file, before, after })
}

const firstTool = `import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Counts the words of a text.',
  input: z.object({ text: z.string() }),
  output: z.object({ words: z.int() }),
  run: ({ input }) => ({ words: input.text.match(/\\S+/g)?.length ?? 0 }),
})
`
