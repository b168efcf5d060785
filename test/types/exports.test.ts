import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

/*
 * Every type that a public signature names is exported from src/index.ts, so that an author can write
 * it down. The declarations that the compiler emits are followed from the index on.
 */

/** What no author writes down. The walk goes no further than these. */
const internal = new Set(
  [
    // what the rest of Helve sees of a definition
    'AnyTool AnyResource Check HandleKind',
    // how the compiler infers a definition, and what it reports
    'NoInput NoOutput Unstructured NeedsOutput Keepable Returned ArgumentsOf ValueOf SentTo',
    'RunContextOf ReadContextOf Shareable ParamsOf ArgumentOf VariableOf',
    'NeedsPrefix Synchronous CallsOf Infers Wrapped Told AnswersTo',
    // what a question does with a response, and what a schema does with a value
    'InputRequest AnswerRead StandardProps',
    // what `helve build` writes and what Cloudflare calls
    'ArgumentEntry ParamHeader Bindings HandleEntry',
    'Transport HandlesClass Hub Bridge ListingsClass',
    // what the functions of helve/access return
    'Arrival Authenticated',
  ].flatMap((names) => names.split(' ')),
)

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/declarations', crypto.randomUUID())

interface Module {
  /** The file and the name in it of whatever is imported or passed on. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>
  /** The text of each declaration, all overloads together. */
  readonly declared: ReadonlyMap<string, string>
  readonly exported: ReadonlySet<string>
}

function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
  const imports = [...text.matchAll(/^(?:im|ex)port (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)]
  const parts = text.split(/\n(?=export |declare |type |interface )/).flatMap((part) => {
    const [, isExported, name] =
      /^(export )?(?:declare )?(?:const|function|class|interface|type) (\w+)/.exec(part) ?? []
    return name === undefined ? [] : [{ part, name, isExported: isExported !== undefined }]
  })
  const declared = Map.groupBy(parts, ({ name }) => name)
  return {
    imports: new Map(
      imports.flatMap(([, names = '', from = '']) => {
        const target = join(dirname(file), from.replace(/\.ts$/, '.d.ts'))
        const all = names.split(',').map((name) => name.replace('type ', '').trim())
        return all.filter(Boolean).map((name) => [name, [target, name]])
      }),
    ),
    declared: new Map(
      [...declared].map(([name, all]) => [name, all.map((p) => p.part).join('\n')]),
    ),
    exported: new Set(parts.filter((part) => part.isExported).map(({ name }) => name)),
  }
}

/** The exported types that are named from the index on and are not exported from it. */
function findMissing(index: string): readonly string[] {
  const modules = new Map<string, Module>()
  const open = (file: string): Module => {
    const module = modules.get(file) ?? readModule(file)
    modules.set(file, module)
    return module
  }
  const exported = open(index).imports
  const seen = new Set<string>()
  const missing = new Set<string>()
  const visit = (file: string, name: string): void => {
    if (internal.has(name) || seen.has(`${file} ${name}`)) return
    seen.add(`${file} ${name}`)
    const { imports, declared, exported: own } = open(file)
    if (own.has(name) && !exported.has(name)) missing.add(name)
    const text = (declared.get(name) ?? '').replaceAll(/'[^']*'/g, '')
    for (const [mentioned] of text.matchAll(/(?<![.\w])[A-Z]\w*/g)) {
      const from = imports.get(mentioned)
      if (from !== undefined) visit(...from)
      else if (mentioned !== name && declared.has(mentioned)) visit(file, mentioned)
    }
  }
  for (const from of exported.values()) visit(...from)
  return [...missing].toSorted()
}

test('every type that a public signature names is exported', async () => {
  onTestFinished(() => rm(folder, { recursive: true }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const emit = ['--noEmit', 'false', '--emitDeclarationOnly', '--outDir', folder]
  await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'src'), ...emit])
  expect(findMissing(join(folder, 'index.d.ts'))).toEqual([])
})
