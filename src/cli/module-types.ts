import { isJsonObject } from '../wire/json.ts'

/** What workerd calls a module that is not JavaScript, by the extension of its file. */
export type ModuleTypes = ReadonlyMap<string, 'text' | 'data' | 'wasm'>

const types = new Map([
  ['Text', 'text'],
  ['Data', 'data'],
  ['CompiledWasm', 'wasm'],
] as const)

/** wrangler's own rules: these need no `[[rules]]`. */
const builtIn: ModuleTypes = new Map([
  ['.txt', 'text'],
  ['.html', 'text'],
  ['.sql', 'text'],
  ['.bin', 'data'],
  ['.wasm', 'wasm'],
])

/** Reads wrangler's `[[rules]]` by the extension that each glob ends in. */
export function readModuleRules(rules: readonly unknown[]): ModuleTypes {
  const own = rules.filter(isJsonObject).flatMap(({ type, globs }) => {
    const called = [...types].find(([name]) => name === type)?.[1]
    if (called === undefined || !Array.isArray(globs)) return []
    return globs.flatMap((glob) => {
      const [extension] = /\.\w+$/.exec(String(glob)) ?? []
      return extension === undefined ? [] : [[extension, called] as const]
    })
  })
  return new Map([...builtIn, ...own])
}
