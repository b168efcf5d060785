import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { toRelative } from '../../build/project.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { runWrangler, toWranglerError } from '../run-wrangler.ts'
import type { WorkerBundle } from './bundle.ts'
import type { CheckContext } from './check-context.ts'
import { type CheckOutcome, findingsOf } from './finding.ts'

/** The limit of the platform: https://developers.cloudflare.com/workers/platform/limits/#worker-startup-time */
const limitMs = 1000

/** This computer is another one than those that will run it, and often faster. */
const warnFromMs = 400

/** Starts the Worker with a profiler, and compares the CPU time with the limit. */
export async function checkStartup(
  { project, main }: CheckContext,
  bundle: WorkerBundle,
): Promise<CheckOutcome> {
  const create = findingsOf('startup', main?.file ?? null)
  const profileFile = join(dirname(bundle.upload), 'startup.cpuprofile')
  const { exitCode, output } = await runWrangler(project.root, [
    'check',
    'startup',
    `--workerBundle=${bundle.upload}`,
    `--outfile=${profileFile}`,
  ])
  if (exitCode !== 0) {
    const message = `wrangler cannot start the Worker: ${toWranglerError(output)}`
    return { findings: [create('startup-failed', message, { severity: 'error' })] }
  }
  const profile: unknown = JSON.parse(await readFile(profileFile, 'utf8'))
  const times = toModuleTimes(profile, bundle.sourceMap, (source) =>
    toRelative(project.root, resolve(dirname(bundle.upload), 'out', source)),
  )
  const cpuMs = times.reduce((all, { ms }) => all + ms, 0)
  const most = times.filter(({ module, ms }) => ms >= 10 && module !== runtime).slice(0, 3)
  const text = `its start takes about ${Math.round(cpuMs)} ms of CPU here, and may take ${limitMs} ms`
  const owners =
    most.length === 0
      ? ''
      : `; most of it: ${most.map(({ module, ms }) => `${module} ${Math.round(ms)} ms`).join(', ')}`
  const details = { cpuMs, limitMs, modules: times }
  if (cpuMs < warnFromMs) return { findings: [], notes: [text + owners], details }
  const message =
    `I${text.slice(1)}${owners}. Do less outside functions: what a tool's module does there waits for ` +
    'its first call, and what the main module does there for the start.'
  const severity = cpuMs > limitMs ? 'error' : 'warning'
  return { findings: [create('startup', message, { severity })], details }
}

interface ModuleTime {
  readonly module: string
  readonly ms: number
}

/** Adds up the time of each module, the slowest first. A package is one module. */
export function toModuleTimes(
  profile: unknown,
  sourceMap: string,
  toFile: (source: string) => string,
): readonly ModuleTime[] {
  const { nodes, samples, timeDeltas } = isJsonObject(profile) ? profile : {}
  const find = createModuleFinder(sourceMap, toFile)
  const list = listOf(nodes).filter(isJsonObject)
  const byId = new Map(list.map((node) => [node['id'], node]))
  const modules = new Map<unknown, readonly string[]>()
  const walk = (node: JsonObject | undefined, caller: readonly string[]): void => {
    if (node === undefined) return
    const own = findModules(node, find) ?? caller
    modules.set(node['id'], own)
    for (const child of listOf(node['children'])) walk(byId.get(child), own.slice(0, 1))
  }
  walk(list[0], [runtime])
  const times = new Map<string, number>()
  for (const [index, id] of listOf(samples).entries()) {
    // a sample lasts until the next one
    const ms = Number(listOf(timeDeltas)[index + 1] ?? 0) / 1000
    const owners = modules.get(id) ?? []
    for (const owner of owners) times.set(owner, (times.get(owner) ?? 0) + ms / owners.length)
  }
  return [...times].map(([module, ms]) => ({ module, ms })).toSorted((a, b) => b.ms - a.ms)
}

/** Compiling, collecting garbage, and what the profile does not tell. */
const runtime = 'the runtime'

type FindModule = (line: number, column: number) => string | null

function createModuleFinder(sourceMap: string, toFile: (source: string) => string): FindModule {
  if (sourceMap === '') return () => null
  const map = new SourceMap(JSON.parse(sourceMap))
  return (line, column) => {
    const entry = map.findEntry(line, column)
    if (!('originalSource' in entry)) return null
    const source = toFile(entry.originalSource)
    return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source
  }
}

/**
 * The module of a function, or one for each sample of a function that has several modules; `null` if the
 * time belongs to the caller, as that of functions of JavaScript does.
 */
function findModules(node: JsonObject, find: FindModule): readonly string[] | null {
  const { functionName, url, lineNumber, columnNumber } = Object(node['callFrame'])
  if (functionName === '(idle)') return []
  if (String(functionName).startsWith('(')) return [runtime]
  if (typeof url !== 'string' || url === '') return null
  if (lineNumber >= 0) return toList(find(Number(lineNumber), Number(columnNumber)))
  // the top level of the bundle, where modules follow one another
  const ticks = listOf(node['positionTicks']).filter(isJsonObject)
  const found = ticks.flatMap(({ line, ticks: count }) => {
    const [module] = toList(find(Number(line) - 1, Number.MAX_SAFE_INTEGER)) ?? []
    return module === undefined ? [] : Array.from({ length: Number(count) }, () => module)
  })
  return found.length === 0 ? null : found
}

function toList(module: string | null): readonly string[] | null {
  return module === null ? null : [module]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
