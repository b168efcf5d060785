import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { toRelative } from '../../build/project.ts'
import { isJsonObject } from '../../protocol/json.ts'
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
    const message = `The Worker does not start: ${toWranglerError(output)}`
    return { findings: [create('startup-failed', message, { severity: 'error' })] }
  }
  const profile: unknown = JSON.parse(await readFile(profileFile, 'utf8'))
  const times = toModuleTimes(profile, bundle.sourceMap, (source) =>
    toRelative(project.root, resolve(dirname(bundle.upload), 'out', source)),
  )
  const cpuMs = times.reduce((all, { ms }) => all + ms, 0)
  const most = times.filter(({ ms }) => ms >= 10).slice(0, 3)
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
  const map = sourceMap === '' ? null : new SourceMap(JSON.parse(sourceMap))
  const modules = new Map<unknown, string | null>()
  const walk = (id: unknown, module: string): void => {
    const node = byId.get(id)
    if (node === undefined) return
    const own = toModule(node['callFrame'], map, toFile) ?? module
    modules.set(id, own)
    for (const child of Array.isArray(node['children']) ? node['children'] : []) walk(child, own)
  }
  const list = Array.isArray(nodes) ? nodes.filter(isJsonObject) : []
  const byId = new Map(list.map((node) => [node['id'], node]))
  walk(list[0]?.['id'], 'the runtime')
  const times = new Map<string, number>()
  const deltas = Array.isArray(timeDeltas) ? timeDeltas : []
  for (const [index, id] of (Array.isArray(samples) ? samples : []).entries()) {
    const module = modules.get(id) ?? idle
    // a sample lasts until the next one
    const ms = Number(deltas[index + 1] ?? 0) / 1000
    times.set(module, (times.get(module) ?? 0) + ms)
  }
  times.delete(idle)
  return [...times].map(([module, ms]) => ({ module, ms })).toSorted((a, b) => b.ms - a.ms)
}

const idle = '(idle)'

/** The module of a function; `null` if it belongs to whoever calls it, such as a function of JavaScript. */
function toModule(
  callFrame: unknown,
  map: SourceMap | null,
  toFile: (source: string) => string,
): string | null {
  const { functionName, url, lineNumber, columnNumber } = Object(callFrame)
  if (functionName === idle) return idle
  if (typeof url !== 'string' || url === '' || map === null || !(lineNumber >= 0)) return null
  const origin = map.findEntry(Number(lineNumber), Number(columnNumber))
  if (!('originalSource' in origin)) return null
  const source = toFile(origin.originalSource)
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return name ?? source
}
